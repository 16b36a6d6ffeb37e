package page

import "time"

// Rest ends the search behind the page after its turn.
func (s *Server) Rest() {
	s.hunt.mu.Lock()
	defer s.hunt.mu.Unlock()
	s.hunt.asked = time.Time{}
}

// Link is a link of a picture.
type Link = link
