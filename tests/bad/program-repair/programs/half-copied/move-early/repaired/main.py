from layers import layer

layer().to("cpu")
