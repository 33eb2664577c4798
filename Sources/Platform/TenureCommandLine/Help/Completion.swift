import TenureCore

/// A shell with completion support.
package enum CompletionShell: String, Sendable, CaseIterable {
    case bash, zsh, fish
}

/// The words that may follow at each position of a command line, and the shell scripts that complete them.
///
/// They're taken from the commands' declarations.
struct Completion {
    /// A position on the command line: all the words before it, and the words that may follow.
    private struct Place {
        let path: [String]
        let words: [(text: String, help: String)]
    }

    private let name: String
    private let places: [Place]

    /// Collects the positions of a tree of commands.
    init(of root: CommandGroup, called name: String) {
        self.name = name
        var places: [Place] = []
        func walk(_ node: any CommandNode, _ path: [String]) {
            if let group = node as? CommandGroup {
                places.append(
                    Place(path: path, words: group.commands.map { ($0.name, $0.abstract) }))
                for command in group.commands { walk(command, path + [command.name]) }
            } else if let command = node as? Command {
                let options = command.arguments.map(\.declaration).filter { $0.form != .positional }
                places.append(Place(path: path, words: options.map { ($0.label, $0.help) }))
            }
        }
        walk(root, [])
        self.places = places
    }

    func script(for shell: CompletionShell) -> String {
        switch shell {
        case .bash: bash
        case .zsh: zsh
        case .fish: fish
        }
    }

    private var bash: String {
        var script = """
            # Completes \(name) in bash: source <(\(name) completion bash)
            _\(name)() {
                local place="" word next words
                for word in "${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
                    next="${place:+$place }$word"
                    case "$next" in \(pattern)) place="$next" ;; esac
                done
                case "$place" in

            """
        for position in places {
            let words = position.words.map(\.text).joined(separator: " ")
            script += "        \(Self.quoted(position.path.joined(separator: " ")))) words=\(Self.quoted(words)) ;;\n"
        }
        return script + """
                esac
                COMPREPLY=($(compgen -W "$words" -- "${COMP_WORDS[COMP_CWORD]}"))
            }
            complete -o default -F _\(name) \(name)
            """
    }

    private var zsh: String {
        var script = """
            #compdef \(name)
            # Completes \(name) in zsh: source <(\(name) completion zsh)
            _\(name)() {
                local place="" word next
                local -a found
                for word in "${(@)words[2,CURRENT-1]}"; do
                    next="${place:+$place }$word"
                    case "$next" in \(pattern)) place="$next" ;; esac
                done
                case "$place" in

            """
        for position in places {
            let words = position.words.map { Self.quoted("\($0.text):\($0.help)") }.joined(separator: " ")
            script += "        \(Self.quoted(position.path.joined(separator: " ")))) found=(\(words)) ;;\n"
        }
        return script + """
                esac
                _describe \(name) found || _files
            }
            (( $+functions[compdef] )) && compdef _\(name) \(name)
            """
    }

    private var fish: String {
        var script = """
            # Completes \(name) in fish: \(name) completion fish | source
            function __\(name)_place
                set -l place
                for word in (commandline -opc)[2..]
                    set -l next (string join ' ' $place $word)
                    switch $next
                        case \(paths.map(Self.quoted).joined(separator: " "))
                            set place $next
                    end
                end
                echo $place
            end

            """
        for position in places {
            let test = Self.quoted(
                "test (__\(name)_place | string collect) = \"\(position.path.joined(separator: " "))\"")
            for word in position.words {
                let what = word.text.hasPrefix("--") ? "-l \(word.text.dropFirst(2))" : "-f -a \(word.text)"
                script += "complete -c \(name) -n \(test) \(what) -d \(Self.quoted(word.help))\n"
            }
        }
        return String(script.dropLast())
    }

    private var paths: [String] { places.map { $0.path.joined(separator: " ") }.filter { !$0.isEmpty } }

    private var pattern: String { paths.map(Self.quoted).joined(separator: "|") }

    private static func quoted(_ text: String) -> String {
        "'" + text.split(atByte: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
    }
}
