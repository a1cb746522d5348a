// The operator of greetings/operator.mjs as a compiled program, without a library: a custom resource with a finalizer, two caches, a lease,
// a version. `--version V`; `--generate-name` is its bug: behind its cache it makes another ConfigMap, where the mended one meets the name.
package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"os/signal"
	"regexp"
	"sync"
	"syscall"
	"time"
)

const (
	greetingsPath = "/apis/example.com/v1/namespaces/default/greetings"
	mapsPath      = "/api/v1/namespaces/default/configmaps"
	leasesPath    = "/apis/coordination.k8s.io/v1/namespaces/default/leases"
	finalizer     = "example.com/greetings"
	retry         = 20 * time.Millisecond
	// Another holder of the lease is trusted for so long after its record was last seen to change.
	leaseDuration = time.Second
)

type owner struct {
	APIVersion string `json:"apiVersion"`
	Kind       string `json:"kind"`
	Name       string `json:"name"`
	UID        string `json:"uid"`
}

type object struct {
	Metadata struct {
		Name              string            `json:"name"`
		UID               string            `json:"uid"`
		ResourceVersion   string            `json:"resourceVersion"`
		DeletionTimestamp string            `json:"deletionTimestamp"`
		Finalizers        []string          `json:"finalizers"`
		OwnerReferences   []owner           `json:"ownerReferences"`
		Labels            map[string]string `json:"labels"`
	} `json:"metadata"`
	Data  map[string]string      `json:"data"`
	Spec  map[string]interface{} `json:"spec"`
	Items []object               `json:"items"`
}

type failure struct {
	code   int
	reason string
}

func (f failure) Error() string { return fmt.Sprint(f.code, " ", f.reason) }

var (
	server, token, version string
	generates, standsBy    bool
	woken                  = make(chan struct{}, 1)
)

func ask(method, path, contentType string, body interface{}) (*http.Response, error) {
	var text []byte
	if body != nil {
		var err error
		if text, err = json.Marshal(body); err != nil {
			return nil, err
		}
	}
	request, err := http.NewRequest(method, server+path, bytes.NewReader(text))
	if err != nil {
		return nil, err
	}
	request.Header.Set("Authorization", "Bearer "+token)
	request.Header.Set("Content-Type", contentType)
	response, err := http.DefaultClient.Do(request)
	if err != nil || response.StatusCode < 300 {
		return response, err
	}
	defer response.Body.Close()
	var status struct {
		Reason string `json:"reason"`
	}
	_ = json.NewDecoder(response.Body).Decode(&status)
	return nil, failure{response.StatusCode, status.Reason}
}

func call(method, path string, body, into interface{}) error {
	contentType := "application/json"
	if method == "PATCH" {
		contentType = "application/merge-patch+json"
	}
	response, err := ask(method, path, contentType, body)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	if into == nil {
		return nil
	}
	return json.NewDecoder(response.Body).Decode(into)
}

func wake() {
	select {
	case woken <- struct{}{}:
	default:
	}
}

// A store is what list and watch have shown of a resource.
type store struct {
	sync.Mutex
	path   string
	synced bool
	items  map[string]object
}

func follow(path string) *store {
	kept := &store{path: path, items: map[string]object{}}
	go func() {
		for {
			_ = kept.listAndWatch()
			time.Sleep(retry)
		}
	}()
	return kept
}

func (kept *store) listAndWatch() error {
	var list object
	if err := call("GET", kept.path, nil, &list); err != nil {
		return err
	}
	items := map[string]object{}
	for _, each := range list.Items {
		items[each.Metadata.Name] = each
	}
	kept.Lock()
	kept.items, kept.synced = items, true
	kept.Unlock()
	wake()
	watch, err := ask("GET", kept.path+"?watch=1&resourceVersion="+list.Metadata.ResourceVersion, "application/json", nil)
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
		kept.Lock()
		if event.Type == "DELETED" {
			delete(kept.items, event.Object.Metadata.Name)
		} else if event.Type != "BOOKMARK" {
			kept.items[event.Object.Metadata.Name] = event.Object
		}
		kept.Unlock()
		wake()
	}
}

func (kept *store) list() ([]object, bool) {
	kept.Lock()
	defer kept.Unlock()
	all := []object{}
	for _, each := range kept.items {
		all = append(all, each)
	}
	return all, kept.synced
}

type fields = map[string]interface{}

func setFinalizers(name string, finalizers []string) error {
	return call("PATCH", greetingsPath+"/"+name, fields{"metadata": fields{"finalizers": finalizers}}, nil)
}

func speak(name string) error {
	return call("PATCH", mapsPath+"/"+name, fields{"data": fields{"version": version}}, nil)
}

func without(all []string, one string) (rest []string, had bool) {
	rest = []string{}
	for _, each := range all {
		if each == one {
			had = true
		} else {
			rest = append(rest, each)
		}
	}
	return rest, had
}

func reconcile(greeting object, maps []object) error {
	name, uid := greeting.Metadata.Name, greeting.Metadata.UID
	rest, has := without(greeting.Metadata.Finalizers, finalizer)
	if greeting.Metadata.DeletionTimestamp != "" {
		var live object
		if err := call("GET", mapsPath+"?labelSelector=greeting%3D"+name, nil, &live); err != nil {
			return err
		}
		for _, each := range live.Items {
			if err := call("DELETE", mapsPath+"/"+each.Metadata.Name, nil, nil); err != nil {
				return err
			}
		}
		if has {
			return setFinalizers(name, rest)
		}
		return nil
	}
	if !has {
		if err := setFinalizers(name, append(rest, finalizer)); err != nil {
			return err
		}
	}
	for _, each := range maps {
		for _, by := range each.Metadata.OwnerReferences {
			if by.UID != uid {
				continue
			}
			if each.Data["version"] == version {
				return nil
			}
			return speak(each.Metadata.Name)
		}
	}
	metadata := fields{
		"name":            "hello-" + name,
		"labels":          fields{"greeting": name},
		"ownerReferences": []owner{{"example.com/v1", "Greeting", name, uid}},
	}
	if generates {
		delete(metadata, "name")
		metadata["generateName"] = "hello-" + name + "-"
	}
	err := call("POST", mapsPath, fields{"metadata": metadata, "data": fields{"version": version}}, nil)
	if failed, ok := err.(failure); ok && failed.reason == "AlreadyExists" {
		return speak("hello-" + name)
	}
	return err
}

// elect keeps the lease, or waits for it. It says whether this process leads.
func elect(seen *string, changed *time.Time, leads bool) (bool, error) {
	spec := fields{
		"holderIdentity":       version,
		"leaseDurationSeconds": 1,
		"renewTime":            time.Now().UTC().Format("2006-01-02T15:04:05.000000Z"),
	}
	var lease fields
	err := call("GET", leasesPath+"/greetings", nil, &lease)
	if failed, ok := err.(failure); ok && failed.code == 404 {
		// An upgrade finds a version that leads.
		if standsBy {
			return false, nil
		}
		return true, call("POST", leasesPath, fields{"metadata": fields{"name": "greetings"}, "spec": spec}, nil)
	}
	if err != nil {
		return leads, err
	}
	had, _ := lease["spec"].(fields)
	holder, _ := had["holderIdentity"].(string)
	if record := fmt.Sprint(holder, had["renewTime"]); record != *seen {
		*seen, *changed = record, time.Now()
	}
	if holder != "" && holder != version && time.Since(*changed) < leaseDuration {
		return false, nil
	}
	lease["spec"] = spec
	return true, call("PUT", leasesPath+"/greetings", lease, nil)
}

func work(greetings, maps *store) {
	all, known := greetings.list()
	own, seen := maps.list()
	if !known || !seen {
		return
	}
	for _, each := range all {
		err := reconcile(each, own)
		if failed, ok := err.(failure); err != nil && (!ok || failed.code != 404) {
			fmt.Println(err)
		}
		if err != nil {
			time.AfterFunc(retry, wake)
		}
	}
}

func configure() error {
	config, err := os.ReadFile(os.Getenv("KUBECONFIG"))
	if err != nil {
		return err
	}
	server = string(regexp.MustCompile(`server: (\S+)`).FindSubmatch(config)[1])
	token = string(regexp.MustCompile(`token: (\S+)`).FindSubmatch(config)[1])
	for at, word := range os.Args {
		switch word {
		case "--version":
			version = os.Args[at+1]
		case "--generate-name":
			generates = true
		case "--stand-by":
			standsBy = true
		}
	}
	return nil
}

func main() {
	if err := configure(); err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	greetings, maps := follow(greetingsPath), follow(mapsPath)
	ends := make(chan os.Signal, 1)
	signal.Notify(ends, syscall.SIGTERM)
	elections := time.NewTicker(200 * time.Millisecond)
	var seen string
	var changed time.Time
	leads := false
	for {
		select {
		case <-ends:
			if leads {
				_ = call("PATCH", leasesPath+"/greetings", fields{"spec": fields{"holderIdentity": ""}}, nil)
			}
			return
		case <-elections.C:
			now, err := elect(&seen, &changed, leads)
			if err == nil && now && !leads {
				fmt.Println(version, "leads")
				wake()
			}
			leads = (err == nil && now) || (err != nil && leads)
		case <-woken:
			if leads {
				work(greetings, maps)
			}
		}
	}
}
