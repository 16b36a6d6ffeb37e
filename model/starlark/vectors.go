//go:build !js

package starfile

// vectorSizes are the sizes of states: a state takes as little memory as these allow.
var vectorSizes = []vectorSize{
	{1, build[[1]uint32]},
	{2, build[[2]uint32]},
	{3, build[[3]uint32]},
	{4, build[[4]uint32]},
	{6, build[[6]uint32]},
	{8, build[[8]uint32]},
	{16, build[[16]uint32]},
	{largest, build[[64]uint32]},
}
