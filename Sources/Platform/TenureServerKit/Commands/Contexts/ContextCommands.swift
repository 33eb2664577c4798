import FoundationEssentials
import TenureCommandLine
import TenureFormats

/// The command group `tenure context`.
enum ContextCommands {
    private static let name = Argument.positional(
        "NAME", "The context's name.",
        as: ArgumentReading<String> { text in
            let isName = text.utf8.allSatisfy {
                (0x30...0x39).contains($0) || (0x61...0x7A).contains($0 | 0x20) || [0x2D, 0x2E, 0x5F].contains($0)
            }
            guard (1...64).contains(text.utf8.count), isName else {
                throw UsageError("enter 1 to 64 letters, digits, dashes, periods and underscores")
            }
            return text
        })
    private static let values: [Argument<String?>] = ContextFile.options.map {
        .optional($0, "TEXT", "The value of --\($0) in this context.", as: .text)
    }

    static let group = CommandGroup(
        "context", "Manages named sets of options that save typing.",
        discussion: """
            A context stores which installation commands act on (--data, --store, --store-file, --master-key-file, \
            --clock) and the values of --tenant, --product and --base-url. The command line comes first, then the \
            environment, then the context. The context is the one named by --context or TENURE_CONTEXT, otherwise \
            the current one.
            """,
        example: "tenure context add shop --store postgres:///tenure --master-key-file /etc/tenure/master.key",
        commands: [add, list, use, remove])

    private static let add = Command(
        "add", "Adds a context, or changes an existing one.",
        example: "tenure context add trial --data ./trial-data --tenant acme",
        arguments: [name] + values + [Argument.json],
        output: Schema.output(context), isAlone: true
    ) { arguments, console in
        var options: [String: String] = [:]
        for value in values { options[value.declaration.name] = arguments[value] }
        if options.isEmpty { throw UsageError("give at least one option, such as --data DIR") }
        if let store = options["store"], StoreURL.hasPassword(store) {
            throw UsageError(
                "--store contains a password, which others can read in the process list and the shell's history, and "
                    + "which would be kept in the context file: change the password, put the whole URL in a file, and "
                    + "pass it with --store-file FILE")
        }
        if options["store"] != nil, options["store-file"] != nil {
            throw UsageError("--store and --store-file both name the store: give only one of them")
        }
        // Relative paths are resolved now, so that later commands find the same files from any working directory.
        for file in ["data", "store-file", "master-key-file", "clock"] {
            options[file] = options[file].map(RememberedPath.absolute)
        }
        try change { $0.add(options, as: arguments[name]) }
        console.answer("context \(arguments[name])", asJSON: arguments[.json]) {
            $0.context(arguments[name], options, false)
        }
        return .done
    }

    private static let context: [Schema.OutputMember] = [
        ("context", .text()), ("current", .boolean), ("options", Schema([.init("type", "object")])),
    ]

    private static let list = Command(
        "list", "Lists contexts and marks the current one.", example: "tenure context list",
        arguments: [Argument.json, Argument.wide], output: Schema.page("contexts", of: .output(context)), isAlone: true
    ) { arguments, console in
        let file = try read().file
        let names = file.contexts.keys.sorted()
        if arguments[.json] {
            console.answer { body in
                body.array("contexts") { list in
                    for name in names {
                        list.object { $0.context(name, file.shownOptions(of: name), name == file.current) }
                    }
                }
                body.next(nil)
            }
            return .done
        }
        var table = TextTable([.text("current"), .text("context"), .text("options")])
        for name in names {
            let options = file.shownOptions(of: name).sorted { $0.key < $1.key }.map { "--\($0.key) \($0.value)" }
            table.add([name == file.current ? "*" : "", name, options.joined(separator: " ")])
        }
        console.answer(table)
        return .done
    }

    private static let use = Command(
        "use", "Makes a context the current one.", example: "tenure context use shop",
        arguments: [name, Argument.json], output: Schema.output([("context", .text())]), isAlone: true
    ) { arguments, console in
        try change { file in try file.use(arguments[name]) }
        console.answer("using \(arguments[name])", asJSON: arguments[.json]) { $0.member("context", arguments[name]) }
        return .done
    }

    private static let remove = Command(
        "remove", "Removes a context, but not its installation.", example: "tenure context remove shop",
        arguments: [name, Argument.json], output: Schema.output([("context", .text())]), isAlone: true
    ) { arguments, console in
        try change { file in try file.remove(arguments[name]) }
        console.answer("removed \(arguments[name])", asJSON: arguments[.json]) { $0.member("context", arguments[name]) }
        return .done
    }

    private static func read() throws -> (path: String, file: ContextFile) {
        guard let path = ContextFile.path(in: ProcessInfo.processInfo.environment) else {
            throw CommandError("There is no home folder to keep contexts in. Set XDG_CONFIG_HOME to a folder.")
        }
        return (path, try ContextFile(at: path))
    }

    private static func change(_ body: (inout ContextFile) throws -> Void) throws {
        var (path, file) = try read()
        try body(&file)
        try file.write(to: path)
    }
}

extension JSONObjectWriter {
    fileprivate mutating func context(_ name: String, _ options: [String: String], _ isCurrent: Bool) {
        member("context", name)
        member("current", isCurrent)
        object("options") { member in
            for (option, value) in options.sorted(by: { $0.key < $1.key }) { member.member(option, value) }
        }
    }
}
