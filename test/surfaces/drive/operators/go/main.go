// Gives each Service a ConfigMap of the same name: the operator of greeter.mjs as a compiled program, without a library. --generate-name is
// its bug: where the answer to a creation is lost, it makes another one.
package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"regexp"
	"time"
)

type object struct {
	Kind     string `json:"kind,omitempty"`
	Metadata struct {
		Name            string `json:"name,omitempty"`
		Namespace       string `json:"namespace,omitempty"`
		ResourceVersion string `json:"resourceVersion,omitempty"`
	} `json:"metadata"`
	Items []object `json:"items,omitempty"`
}

var server, token string

func ask(method, path string, body []byte) (*http.Response, error) {
	request, err := http.NewRequest(method, server+path, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	request.Header.Set("Authorization", "Bearer "+token)
	request.Header.Set("Content-Type", "application/json")
	return http.DefaultClient.Do(request)
}

// greet tries again until there is a ConfigMap: a lost answer is no answer.
func greet(service object) {
	path := "/api/v1/namespaces/" + service.Metadata.Namespace + "/configmaps"
	named := `"name":"` + service.Metadata.Name + `"`
	if len(os.Args) > 1 && os.Args[1] == "--generate-name" {
		named = `"generateName":"` + service.Metadata.Name + `-"`
	}
	body := []byte(`{"apiVersion":"v1","kind":"ConfigMap","metadata":{` + named + `}}`)
	for {
		response, err := ask("POST", path, body)
		if err == nil {
			var status struct {
				Reason string `json:"reason"`
			}
			_ = json.NewDecoder(response.Body).Decode(&status)
			response.Body.Close()
			if response.StatusCode == 201 || status.Reason == "AlreadyExists" {
				return
			}
		}
		time.Sleep(5 * time.Millisecond)
	}
}

// follow lists and watches until the watch ends.
func follow() error {
	response, err := ask("GET", "/api/v1/services", nil)
	if err != nil {
		return err
	}
	var list object
	err = json.NewDecoder(response.Body).Decode(&list)
	response.Body.Close()
	if err != nil || response.StatusCode != 200 {
		return fmt.Errorf("list: %d %v", response.StatusCode, err)
	}
	for _, service := range list.Items {
		greet(service)
	}
	watch, err := ask("GET", "/api/v1/services?watch=1&resourceVersion="+list.Metadata.ResourceVersion, nil)
	if err != nil {
		return err
	}
	defer watch.Body.Close()
	lines := bufio.NewReader(watch.Body)
	for {
		line, err := lines.ReadBytes('\n')
		if err != nil {
			return err
		}
		var event struct {
			Type   string `json:"type"`
			Object object `json:"object"`
		}
		if err := json.Unmarshal(line, &event); err != nil || event.Type == "ERROR" {
			return fmt.Errorf("watch: %s %v", event.Type, err)
		}
		if event.Type == "ADDED" {
			greet(event.Object)
		}
	}
}

func main() {
	config, err := os.ReadFile(os.Getenv("KUBECONFIG"))
	if err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	server = string(regexp.MustCompile(`server: (\S+)`).FindSubmatch(config)[1])
	token = string(regexp.MustCompile(`token: (\S+)`).FindSubmatch(config)[1])
	for {
		fmt.Println(follow())
		time.Sleep(5 * time.Millisecond)
	}
}
