package traces

// Swap returns the steps of decisive, whether the first is not enabled then, and how many steps are not
// taken.
func (r *Run) Swap() (first, second int, disabled bool, left int, found bool) {
	o, found := r.decisive()
	return o.first, o.second, o.disabled, o.left, found
}

// Needed returns the orders of needed.
func (r *Run) Needed() (orders [][2]int, known bool) {
	found, known := r.needed()
	for _, o := range found {
		orders = append(orders, [2]int{o.first, o.second})
	}
	return orders, known
}

// NoReturn returns the last state from which the property can be fulfilled, and in how many steps.
func (r *Run) NoReturn() (from, length int, known bool) {
	t, known := r.turning()
	return t.from, t.length, known
}
