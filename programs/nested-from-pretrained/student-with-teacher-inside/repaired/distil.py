import torch
from torch import nn
from transformers import GPT2Config, GPT2Model, PretrainedConfig, PreTrainedModel


class StudentConfig(PretrainedConfig):
    model_type = "mini_student"

    def __init__(self, teacher="teacher", dim=16, vocab=40, **kw):
        self.teacher, self.dim, self.vocab = teacher, dim, vocab
        super().__init__(**kw)


class Student(PreTrainedModel):
    config_class = StudentConfig

    def __init__(self, config):
        super().__init__(config)
        self.teacher = GPT2Model(GPT2Config.from_pretrained(config.teacher))
        self.teacher.requires_grad_(False)
        self.tok = nn.Embedding(config.vocab, config.dim)
        self.up = nn.Linear(config.dim, self.teacher.config.n_embd)
        self.post_init()

    def distil_loss(self, ids):
        with torch.no_grad():
            goal = self.teacher(ids).last_hidden_state
        return (self.up(self.tok(ids)) - goal).pow(2).mean()


def first_run(folder, teacher, ids):
    torch.manual_seed(46)
    config = GPT2Config(n_layer=1, n_embd=24, n_head=2, vocab_size=40, n_positions=16)
    GPT2Model(config).save_pretrained(teacher)
    student = Student(StudentConfig(teacher=teacher)).eval()
    student.save_pretrained(folder)
    return student.distil_loss(ids).item()
