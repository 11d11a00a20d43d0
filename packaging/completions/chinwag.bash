# chinwag: put this line into ~/.bashrc: eval "$(chinwag completions bash)"
_chinwag() {
    local word="${COMP_WORDS[COMP_CWORD]}" before="${COMP_WORDS[COMP_CWORD-1]}"
    local command="" each words
    for each in "${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
        case "$each" in local|send|react|tail|search|unread|status|channels|people|groups|kept|push|api|join|login|logout|completions)
            command="$each"; break;;
        esac
    done
    local IFS=$'\n'
    COMPREPLY=()
    case "$before" in
        --file|--zuliprc) COMPREPLY=( $(compgen -f -- "$word") ); return;;
        --apple|--by|--channel|--dm|--email|--emoji|--group|--key|--limit|--name|--narrow|--page|--reply-to|--theme|--to|-n) return;;
    esac
    case "$command" in
        local) words='-h --help --narrow --theme';;
        send) words='-h --help --zuliprc --to --reply-to --dm --file --key --json';;
        react) words='-h --help --zuliprc --remove';;
        tail) words='-h --help --zuliprc -f --follow -n --limit --narrow --ids --json';;
        search) words='-h --help --zuliprc -n --limit --ids --json';;
        unread) words='-h --help --zuliprc --all --json';;
        status) words='-h --help --zuliprc --emoji --clear --json';;
        channels) words='-h --help --zuliprc --json --topics --people --email';;
        people) words='-h --help --zuliprc --json --channel --group';;
        groups) words='-h --help --zuliprc --json';;
        kept) words='-h --help --zuliprc --json drafts scheduled reminders snippets views';;
        push) words='-h --help --zuliprc --apple --remove';;
        api) words='-h --help --zuliprc';;
        join) words='-h --help --name --email --http';;
        login) words='-h --help --email --by --page --http';;
        logout) words='-h --help --zuliprc --yes';;
        completions) words='-h --help bash zsh fish';;
        *) words='local send react tail search unread status channels people groups kept push api join login logout completions -h --help --version --zuliprc --narrow --theme';;
    esac
    IFS=$' \n'
    COMPREPLY=( $(compgen -W "$words" -- "$word") )
}
complete -F _chinwag chinwag
