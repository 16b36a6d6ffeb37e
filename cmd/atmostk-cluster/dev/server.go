package main

import (
	"fmt"
	"net"
	"os"
	"time"

	"go.temporal.io/server/common/authorization"
	"go.temporal.io/server/common/cluster"
	"go.temporal.io/server/common/config"
	"go.temporal.io/server/common/log"
	"go.temporal.io/server/common/persistence/sql/sqlplugin/sqlite"
	schema "go.temporal.io/server/schema/sqlite"
	"go.temporal.io/server/temporal"

	"github.com/atmostk/atmostk/model/usage"
)

// loopback is the only address at which the engine listens.
const loopback = "127.0.0.1"

// start starts a complete engine in this process, with its state in SQLite: in a file, or in memory if
// file is "". Port 0 means any free port.
func start(file string, port int) (address string, err error) {
	ports, err := freePorts(9)
	if err != nil {
		return "", err
	}
	if port > 0 {
		ports[0] = port
	}
	state := &config.SQL{
		PluginName:        sqlite.PluginName,
		DatabaseName:      file,
		ConnectAttributes: map[string]string{"mode": "rwc", "setup": "true"},
	}
	if file == "" {
		state.DatabaseName = fmt.Sprintf("engine-%d-%d", os.Getpid(), ports[0])
		state.ConnectAttributes = map[string]string{"mode": "memory", "cache": "shared"}
	}
	if err := prepare(state); err != nil {
		return "", err
	}
	server, err := temporal.NewServer(
		temporal.WithConfig(settings(state, ports)),
		temporal.ForServices(temporal.DefaultServices),
		temporal.WithLogger(log.NewNoopLogger()),
		temporal.WithAuthorizer(
			authorization.NewNoopAuthorizer(),
		), // processes of this machine are trusted
	)
	if err == nil {
		err = server.Start()
	}
	if err != nil {
		return "", fmt.Errorf("the engine does not start: %w", err)
	}
	return at(ports[0]), nil
}

func at(port int) string { return fmt.Sprintf("%s:%d", loopback, port) }

// freePorts returns free ports of the loopback.
func freePorts(n int) (ports []int, err error) {
	for range n {
		l, err := net.Listen("tcp", loopback+":0")
		if err != nil {
			return nil, err
		}
		defer func() { _ = l.Close() }() // after all are known, so that they are different
		ports = append(ports, l.Addr().(*net.TCPAddr).Port)
	}
	return ports, nil
}

// home is the name of the only cluster that the engine knows: itself.
const home = "active"

// prepare creates the namespace, unless it exists.
func prepare(state *config.SQL) error {
	namespace, err := schema.NewNamespaceConfig(home, "default", false, nil)
	if err == nil {
		err = schema.CreateNamespaces(state, namespace)
	}
	if err != nil {
		return usage.Errorf("--file=%s: %v", state.DatabaseName, err)
	}
	return nil
}

// settings returns the configuration of an engine on one machine.
func settings(state *config.SQL, ports []int) *config.Config {
	c := &config.Config{
		Persistence: config.Persistence{
			DefaultStore: sqlite.PluginName, VisibilityStore: sqlite.PluginName, NumHistoryShards: 1,
			DataStores: map[string]config.DataStore{sqlite.PluginName: {SQL: state}},
		},
		ClusterMetadata: &cluster.Config{
			FailoverVersionIncrement: 10, MasterClusterName: home, CurrentClusterName: home,
			ClusterInformation: map[string]cluster.ClusterInformation{
				home: {Enabled: true, InitialFailoverVersion: 1, RPCAddress: at(ports[0])},
			},
		},
		DCRedirectionPolicy: config.DCRedirectionPolicy{Policy: "noop"},
		Archival: config.Archival{
			History: config.HistoryArchival{
				State: "disabled",
			}, Visibility: config.VisibilityArchival{State: "disabled"},
		},
		NamespaceDefaults: config.NamespaceDefaults{Archival: config.ArchivalNamespaceDefaults{
			History:    config.HistoryArchivalNamespaceDefaults{State: "disabled"},
			Visibility: config.VisibilityArchivalNamespaceDefaults{State: "disabled"},
		}},
		PublicClient: config.PublicClient{HostPort: at(ports[0])},
		Services:     map[string]config.Service{},
	}
	c.Global.Membership = config.Membership{MaxJoinDuration: 30 * time.Second, BroadcastAddress: loopback}
	for i, name := range []string{"frontend", "history", "matching", "worker"} {
		c.Services[name] = config.Service{RPC: config.RPC{
			GRPCPort: ports[2*i], MembershipPort: ports[2*i+1], BindOnLocalHost: true,
		}}
	}
	return c
}
