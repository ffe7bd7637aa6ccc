# shellcheck shell=bash
# For scripts whose programs ask servers on this machine: sourced, not run. A person's proxy does not reach these. What the person
# excepts, under either name, stays excepted.
case ",${no_proxy:-},${NO_PROXY:-}," in
*,\*,*) no_proxy='*' ;;
*) no_proxy=127.0.0.1,localhost${no_proxy:+,$no_proxy}${NO_PROXY:+,$NO_PROXY} ;;
esac
export no_proxy NO_PROXY=$no_proxy
