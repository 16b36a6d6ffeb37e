package page

// Link is a link of a picture.
type Link = link
