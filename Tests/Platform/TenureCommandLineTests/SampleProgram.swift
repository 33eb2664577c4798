import TenureCommandLine

/// A program with one argument of each kind. It prints the values that it parsed.
enum Sample {
    enum Shape: String, CaseIterable { case round, square }

    struct DiskFull: Error, CustomStringConvertible {
        var description: String { "store_full: the disk is full; free some space and try again" }
    }

    static let data = Argument.option(
        "data", "DIR", "The folder that holds everything the server must remember between two starts.", as: .text,
        default: "./tenure-data")
    static let count = Argument.option("count", "N", "How many to issue.", as: .int(in: 1...1000), default: 1)
    static let policy = Argument.required("policy", "ID", "The policy they are made from.", as: .text)
    static let holder = Argument.optional("holder", "TEXT", "To whom they are granted.", as: .text)
    static let shape = Argument.option("shape", "SHAPE", "How they look.", as: .choice(of: Shape.self), default: .round)
    static let tags = Argument.repeated("tag", "WORD", "A word to find them by.", as: .text)
    static let dryRun = Argument.flag("dry-run", "Says what would be done.")
    static let days = ArgumentReading<Int> { text in
        guard text.hasSuffix("d"), let days = Int(text.dropLast()) else { throw UsageError("write days, such as 30d") }
        return days
    }
    static let lasting = Argument.optional("for", "TIME", "How long they last.", as: days)
    static let file = Argument.positional("FILE", "Where to write them; - is standard output.", as: .text)
    static let more = Argument.positionals("MORE", "Further files.", as: .text)

    static let issue = Command(
        "issue", "Issues licenses.",
        discussion: """
            The keys are shown once, here, and cannot be shown again: the server keeps no more than a digest of each.

            A file that exists is left alone.
            """,
        example: """
            # one license for Ada
            tenure license issue --policy pro --holder ada@example.com -
            """,
        arguments: [policy, count, data, holder, shape, tags, lasting, dryRun, Argument.json, file, more]
    ) { arguments, console in
        console.answer(
            """
            policy=\(arguments[policy]) count=\(arguments[count]) data=\(arguments[data]) \
            holder=\(arguments[holder] ?? "nobody") shape=\(arguments[shape].rawValue) tags=\(arguments[tags]) \
            for=\(arguments[lasting] ?? 0) dryRun=\(arguments[dryRun]) json=\(arguments[.json]) \
            file=\(arguments[file]) more=\(arguments[more])
            """)
        return .done
    }

    static let refuse = Command("refuse", "Refuses.", example: "tenure license refuse") { _, console in
        console.fail("refused: the license is revoked")
        return .failed
    }

    static let fail = Command("fail", "Fails.", example: "tenure license fail") { _, _ in throw DiskFull() }

    static let contradict = Command("contradict", "Finds fault.", example: "tenure license contradict") { _, _ in
        throw UsageError("--all and LICENSE exclude each other")
    }

    static let license = CommandGroup(
        "license", "Issues licenses and changes them.", example: "tenure license refuse",
        commands: [issue, refuse, fail, contradict])

    static let program = Program(
        "tenure", version: "1.2.3", "Issues, renews and revokes licenses.", example: "tenure version",
        sections: [CommandSection("Licenses", [license])])

    /// Runs the program with arguments and returns its exit code and both outputs.
    static func run(_ words: String...) async -> (code: ExitCode, answer: String, notes: String) {
        let answers = Transcript()
        let notes = Transcript()
        let code = await program.run(words, console: .recorded(answers: answers, notes: notes))
        return (code, answers.text, notes.text)
    }
}
