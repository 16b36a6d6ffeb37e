package logs

// A queue is a heap of what is to come, by times and, at the same time, by numbers.
type queue[T any] []queued[T]

type queued[T any] struct {
	at  int64
	tie int64
	of  T
}

func (a *queued[T]) before(b *queued[T]) bool { return a.at < b.at || a.at == b.at && a.tie < b.tie }

// push adds something.
func (q *queue[T]) push(x queued[T]) {
	*q = append(*q, x)
	hs := *q
	i := len(hs) - 1
	for ; i > 0 && x.before(&hs[(i-1)/2]); i = (i - 1) / 2 {
		hs[i] = hs[(i-1)/2]
	}
	hs[i] = x
}

// down moves the first one to its place, when its time is another one.
func (q queue[T]) down() {
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

// pop takes out the first one.
func (q *queue[T]) pop() {
	last := len(*q) - 1
	(*q)[0] = (*q)[last]
	(*q)[last] = queued[T]{}
	*q = (*q)[:last]
	q.down()
}
