package page

import "time"

// Rest ends the search behind the page after its turn.
func (s *Server) Rest() {
	s.background.mu.Lock()
	defer s.background.mu.Unlock()
	s.background.asked = time.Time{}
}

// Link is a link of a picture.
type Link = link
