package starfile

// vectorSizes are fewer here: each is a copy of the code, which a browser has to load.
var vectorSizes = []vectorSize{
	{2, build[[2]uint32]},
	{4, build[[4]uint32]},
	{16, build[[16]uint32]},
	{largest, build[[64]uint32]},
}
