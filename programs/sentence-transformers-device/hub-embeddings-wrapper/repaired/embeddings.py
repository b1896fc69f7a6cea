"""The embedding interface of the document store."""

from dataclasses import dataclass, field

from sentence_transformers import SentenceTransformer


@dataclass
class LocalEmbeddings:
    model_name: str
    device: str = "cpu"
    model_kwargs: dict = field(default_factory=dict)
    encode_kwargs: dict = field(default_factory=dict)

    def __post_init__(self):
        self._client = SentenceTransformer(
            self.model_name, device=self.device, model_kwargs=self.model_kwargs
        )

    def embed_documents(self, texts):
        return self._client.encode(list(texts), **self.encode_kwargs).tolist()

    def embed_query(self, text):
        return self.embed_documents([text])[0]
