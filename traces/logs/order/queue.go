package order

// A Queue is a heap, ordered by time and then by number.
type Queue[T any] []Queued[T]

// A Queued is an element of a queue, ordered by At and then by Tie.
type Queued[T any] struct {
	At  int64
	Tie int64
	Of  T
}

func (a *Queued[T]) before(b *Queued[T]) bool { return a.At < b.At || a.At == b.At && a.Tie < b.Tie }

// Push adds an element.
func (q *Queue[T]) Push(x Queued[T]) {
	*q = append(*q, x)
	hs := *q
	i := len(hs) - 1
	for ; i > 0 && x.before(&hs[(i-1)/2]); i = (i - 1) / 2 {
		hs[i] = hs[(i-1)/2]
	}
	hs[i] = x
}

// Down restores the order after the time of the first element was changed.
func (q Queue[T]) Down() {
	if len(q) == 0 {
		return
	}
	x, i := q[0], 0
	for next := 1; next < len(q); next = 2*i + 1 {
		if next+1 < len(q) && q[next+1].before(&q[next]) {
			next++
		}
		if !q[next].before(&x) {
			break
		}
		q[i], i = q[next], next
	}
	q[i] = x
}

// Pop removes the first element.
func (q *Queue[T]) Pop() {
	last := len(*q) - 1
	(*q)[0] = (*q)[last]
	(*q)[last] = Queued[T]{}
	*q = (*q)[:last]
	q.Down()
}
