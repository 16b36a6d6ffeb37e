package model

// mapped returns what a function makes of the elements of a list, in their order.
func mapped[T, U any](list []T, of func(T) U) (all []U) {
	for _, x := range list {
		all = append(all, of(x))
	}
	return all
}
