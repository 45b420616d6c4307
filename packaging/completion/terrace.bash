# bash completion for terrace(1); tests/cli/manual_and_completion.py holds it against `terrace --help`.

_terrace()
{
    local cur=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]} command='' word
    local IFS=$'\n'
    COMPREPLY=()
    for word in "${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
        case $word in
            --) return ;; # what follows is PETSc's
            run | check | mesh | list) [[ $command ]] || command=$word ;;
        esac
    done
    # bash takes --output=DIR for three words.
    if [[ $previous == = ]]; then
        previous=${COMP_WORDS[COMP_CWORD - 2]}
        [[ $previous == --* ]] || return # the value of a key
    elif [[ $cur == = ]]; then
        cur=''
    fi
    case $previous in
        --set) return ;; # a key of the deck
        --trace-for | --shares) return ;; # numbers
        --output)
            compopt -o filenames
            if [[ $command == mesh ]]; then
                mapfile -t COMPREPLY < <(compgen -f -X '!*.vtu' -- "$cur"; compgen -o plusdirs -f -X '!*.msh' -- "$cur")
            else
                mapfile -t COMPREPLY < <(compgen -d -- "$cur")
            fi
            return
            ;;
    esac
    case $command,$cur in
        ,-*) mapfile -t COMPREPLY < <(compgen -W $'-h\n--help\n--version' -- "$cur") ;;
        ,*) mapfile -t COMPREPLY < <(compgen -W $'run\ncheck\nmesh\nlist' -- "$cur") ;;
        run,-*) mapfile -t COMPREPLY < <(compgen -W $'-h\n--help\n--set\n--output\n--resume\n--trace\n--trace-for' -- "$cur") ;;
        check,-*) mapfile -t COMPREPLY < <(compgen -W $'-h\n--help\n--set\n--shares' -- "$cur") ;;
        mesh,-*) mapfile -t COMPREPLY < <(compgen -W $'-h\n--help\n--set\n--output' -- "$cur") ;;
        list,-*) mapfile -t COMPREPLY < <(compgen -W $'-h\n--help' -- "$cur") ;;
        list,*) ;;
        *)
            compopt -o filenames
            mapfile -t COMPREPLY < <(compgen -o plusdirs -f -X '!*.toml' -- "$cur")
            ;;
    esac
} && complete -F _terrace terrace
