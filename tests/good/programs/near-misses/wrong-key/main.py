print({"a": 1}["b"])
