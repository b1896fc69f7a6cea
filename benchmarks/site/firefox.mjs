// Pastes into a page in Firefox and looks at what is in view: JSON on standard input, a line of JSON for each paste.
import puppeteer from "puppeteer-core";

let given = "";
for await (const part of process.stdin) given += part;
const { path, address, asked, paste, seen, parts } = JSON.parse(given);
const browser = await puppeteer.launch({ browser: "firefox", executablePath: path, headless: true });
for (const [text, [width, height]] of asked) {
  const page = await browser.newPage();
  await page.setViewport({ width, height });
  await page.goto(address);
  await page.waitForSelector("#unmeta-paste");
  await page.evaluate(`(${paste})(${JSON.stringify(text)})`);
  await page.waitForSelector("#unmeta-verdict", { timeout: 60000 });
  await new Promise((resolve) => setTimeout(resolve, 200));
  process.stdout.write(`${JSON.stringify(await page.evaluate(`(${seen})(${JSON.stringify(parts)})`))}\n`);
  await page.close();
}
await browser.close();
