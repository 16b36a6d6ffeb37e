package main

import (
	"os"
	"os/exec"
	"testing"

	appsv1 "k8s.io/api/apps/v1"
	"sigs.k8s.io/yaml"
)

// TestManifestIsOfKubernetes reads the example for Kubernetes with the types of its API. Unknown fields are
// errors.
func TestManifestIsOfKubernetes(t *testing.T) {
	text, err := os.ReadFile("watch/atmostk-watch.yaml")
	if err != nil {
		t.Fatal(err)
	}
	var d appsv1.Deployment
	if err := yaml.UnmarshalStrict(text, &d); err != nil {
		t.Fatal(err)
	}
	pod := d.Spec.Template
	if d.Kind != "Deployment" || pod.Labels["app"] != d.Spec.Selector.MatchLabels["app"] ||
		len(pod.Spec.InitContainers) != 1 || len(pod.Spec.Containers) != 1 {
		t.Errorf("%+v", d)
	}
}

// TestUnitIsOfSystemd has systemd verify the example of a service.
func TestUnitIsOfSystemd(t *testing.T) {
	verify, err := exec.LookPath("systemd-analyze")
	if err != nil {
		t.Skip("systemd-analyze (Debian package systemd) is not installed")
	}
	text, err := exec.Command(verify, "verify", "watch/atmostk-watch.service").CombinedOutput()
	if err != nil || len(text) > 0 {
		t.Errorf("%v\n%s", err, text)
	}
}
