package capture_test

import (
	"bytes"
	"fmt"
	"log"
	"regexp"

	"github.com/atmostk/atmostk/traces/capture"
)

// letter is a message of the example's program, with the two strings that capture
// wants to travel with it.
type letter struct {
	text      string
	id, clock string
}

// A client asks a server for a permission. Each writes a log of its own.
func Example() {
	var clientLog, serverLog bytes.Buffer
	client, err := capture.New(&clientLog, "client", capture.Header{})
	if err != nil {
		log.Fatal(err)
	}
	server, err := capture.New(&serverLog, "server", capture.Header{})
	if err != nil {
		log.Fatal(err)
	}
	network := make(chan letter, 1)

	// The client asks: the line first, then the message.
	step := client.Step("request")
	ask := letter{text: "REQUEST"}
	ask.id = step.Send("server", ask.text)
	step.Set("state", "waiting")
	if ask.clock, err = step.Log(); err != nil {
		log.Fatal(err)
	}
	network <- ask

	// The server receives and answers, in one step.
	got := <-network
	step = server.Step("receive REQUEST")
	if err = step.Receive("client", got.id, got.text, got.clock); err != nil {
		log.Fatal(err)
	}
	answer := letter{text: "GRANT"}
	answer.id = step.Send("client", answer.text)
	if answer.clock, err = step.Log(); err != nil {
		log.Fatal(err)
	}
	network <- answer

	// The client enters.
	got = <-network
	step = client.Step("enter")
	if err = step.Receive("server", got.id, got.text, got.clock); err != nil {
		log.Fatal(err)
	}
	step.Set("state", "inside")
	step.Units(1)
	if _, err = step.Log(); err != nil {
		log.Fatal(err)
	}

	fmt.Print(withoutTime(clientLog.String()), withoutTime(serverLog.String()))
	// Output:
	// {"level":"INFO","msg":"request","node":"client","event":"request","seq":1,"clock":{"client":1},"sent":[{"to":"server","id":"client-1","message":"REQUEST"}],"state":{"state":"waiting"}}
	// {"level":"INFO","msg":"enter","node":"client","event":"enter","seq":2,"clock":{"client":2,"server":1},"from":"server","id":"server-1","message":"GRANT","state":{"state":"inside"},"units":1}
	// {"level":"INFO","msg":"receive REQUEST","node":"server","event":"receive REQUEST","seq":1,"clock":{"client":1,"server":1},"from":"client","id":"client-1","message":"REQUEST","sent":[{"to":"client","id":"server-1","message":"GRANT"}]}
}

// withoutTime drops what is different each time.
func withoutTime(s string) string {
	return regexp.MustCompile(`"time":"[^"]*",`).ReplaceAllString(s, "")
}
