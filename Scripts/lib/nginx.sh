# shellcheck shell=bash
# For scripts that need a server: sourced, not run.
source "$(dirname "${BASH_SOURCE[0]}")/no-proxy.sh"

# start_nginx FOLDER LOCATIONS: an nginx on a loopback port that serves the `location` blocks, with its configuration,
# log and process id in FOLDER. Sets `port` and `nginx_pid`. It ends when the script ends, however that ends: the kernel
# tells it when its parent is gone.
start_nginx() {
    local folder=$1 locations=$2 user=
    export PATH="$PATH:/usr/sbin"
    mkdir -p "$folder"
    # Where root starts it, its worker would be another user, who sees nothing in folders of root's alone.
    if [ "$(id -u)" -eq 0 ]; then user="user root;"; fi
    for _ in 1 2 3 4 5; do
        port=$((20000 + RANDOM % 20000))
        cat >"$folder/nginx.conf" <<CONFIGURATION
daemon off;
$user
worker_processes 1;
pid "$folder/nginx.pid";
error_log "$folder/error.log";
events {}
http {
    access_log off;
    types { image/jpeg jpg; image/png png; }
    keepalive_requests 100000;
    client_body_temp_path "$folder/body";
    proxy_temp_path "$folder/proxy";
    fastcgi_temp_path "$folder/fastcgi";
    uwsgi_temp_path "$folder/uwsgi";
    scgi_temp_path "$folder/scgi";
    server {
        listen 127.0.0.1:$port;
        $locations
    }
}
CONFIGURATION
        if resume_nginx "$folder"; then return 0; fi
    done
    echo "nginx did not start; $folder/error.log says why" >&2
    return 1
}

# resume_nginx FOLDER: starts it as it was before it was stopped, on the same port.
resume_nginx() {
    local folder=$1
    setpriv --pdeathsig TERM nginx -p "$folder" -e "$folder/error.log" -c "$folder/nginx.conf" 2>/dev/null &
    nginx_pid=$!
    for _ in $(seq 100); do
        if (exec 3<>"/dev/tcp/127.0.0.1/$port") 2>/dev/null && [ -s "$folder/nginx.pid" ]; then return 0; fi
        kill -0 "$nginx_pid" 2>/dev/null || break
        sleep 0.1
    done
    return 1
}

# stop_nginx: ends it and waits until it is gone.
stop_nginx() {
    if [ -n "${nginx_pid:-}" ]; then
        kill "$nginx_pid" 2>/dev/null || true
        wait "$nginx_pid" 2>/dev/null || true
        nginx_pid=
    fi
}
