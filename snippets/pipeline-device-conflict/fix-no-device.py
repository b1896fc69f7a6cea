"""Build a pipeline around a model that a device_map spread over CPU and disk, and name the device."""

from tokenizers import Tokenizer
from tokenizers.models import WordLevel
from tokenizers.pre_tokenizers import Whitespace
from transformers import BertConfig, BertForSequenceClassification, PreTrainedTokenizerFast, pipeline

words = Tokenizer(WordLevel({"[UNK]": 0, "[PAD]": 1, "good": 2, "bad": 3}, unk_token="[UNK]"))
words.pre_tokenizer = Whitespace()
tokenizer = PreTrainedTokenizerFast(tokenizer_object=words, unk_token="[UNK]", pad_token="[PAD]")
config = BertConfig(vocab_size=4, hidden_size=24, intermediate_size=48, num_hidden_layers=2)
trained = BertForSequenceClassification(config).eval()
trained.save_pretrained("checkpoint")
expected = trained(**tokenizer("good", return_tensors="pt")).logits.softmax(-1).max().item()

# code
model = BertForSequenceClassification.from_pretrained(
    "checkpoint", device_map={"bert": "cpu", "dropout": "cpu", "classifier": "disk"}, offload_folder="offload"
)
classify = pipeline("text-classification", model=model, tokenizer=tokenizer)

# goal
assert abs(classify("good")[0]["score"] - expected) < 1e-5
