import TenureCommandLine
import Testing

struct HelpPageTests {
    static let issuePage = """
        Issues licenses.

        The keys are shown once, here, and cannot be shown again: the server keeps no
        more than a digest of each.

        A file that exists is left alone.

        Usage: tenure license issue --policy ID [options] FILE [MORE]...

        Arguments:
          FILE       Where to write them; - is standard output.
          [MORE]...  Further files.

        Options:
          --policy ID    The policy they are made from.
          --count N      How many to issue. (1 to 1000; default: 1)
          --data DIR     The folder that holds everything the server must remember
                         between two starts. (default: ./tenure-data)
          --holder TEXT  To whom they are granted.
          --shape SHAPE  How they look. (round or square; default: round)
          --tag WORD     A word to find them by. (repeatable)
          --for TIME     How long they last.
          --dry-run      Says what would be done.
          --json         Print the result as JSON.
          -h, --help     Show this page.

        Example:
          # one license for Ada
          tenure license issue --policy pro --holder ada@example.com -

        """

    static let groupPage = """
        Issues licenses and changes them.

        Usage: tenure license COMMAND [options]

        Commands:
          issue       Issues licenses.
          refuse      Refuses.
          fail        Fails.
          contradict  Finds fault.

        Options:
          -h, --help  Show this page.

        Example:
          tenure license refuse

        Run 'tenure license COMMAND --help' for help on one command.

        """

    static let programPage = """
        Issues, renews and revokes licenses.

        Usage: tenure COMMAND [options]

        Licenses:
          license     Issues licenses and changes them.

        About this program:
          help        Shows the help page of a command or topic.
          version     Prints the version.
          completion  Prints a script for shell completion of commands and options.

        Options:
          -h, --help  Show this page.

        Example:
          tenure version

        Run 'tenure COMMAND --help' for help on one command.

        """

    @Test(arguments: [
        (["license", "issue", "--help"], issuePage),
        (["license", "issue", "-h"], issuePage),
        (["license", "issue", "--no-such", "--count", "x", "--help"], issuePage),
        (["help", "license", "issue"], issuePage),
        (["license", "--help"], groupPage),
        (["license", "-h"], groupPage),
        (["help", "license"], groupPage),
        (["--help"], programPage),
        (["-h"], programPage),
        (["help"], programPage),
    ])
    func `the help pages of the program, a group and a command are printed to standard output`(
        words: [String], page: String
    ) async {
        let answers = Transcript()
        let notes = Transcript()
        let code = await Sample.program.run(words, console: .recorded(answers: answers, notes: notes))
        #expect(answers.text == page)
        #expect(notes.text == "")
        #expect(code == .done)
    }

    @Test func `help for an unknown command exits with the code for wrong usage and suggests a command`() async {
        let result = await Sample.run("help", "license", "isue")
        #expect(result.code == .usage)
        #expect(result.answer == "")
        #expect(
            result.notes == """
                tenure license: unknown command isue; did you mean issue?
                Run 'tenure license --help' for help.

                """)
    }

    @Test func `--help after two dashes is an ordinary argument`() async {
        let result = await Sample.run("license", "issue", "--policy", "pro", "--", "--help")
        #expect(result.code == .done)
        #expect(result.answer.contains("file=--help"))
    }

    @Test func `faults in the declarations of commands are reported`() {
        let clash = Command(
            "clash", "No sentence", example: "",
            arguments: [
                Argument.json, Argument.json, Argument.flag("help", "Mine."),
                Argument.positionals("MANY", "Many.", as: .text), Argument.positional("ONE", "One.", as: .text),
            ]
        ) { _, _ in .done }
        let group = CommandGroup("group", "A group.", example: "x", commands: [clash])
        #expect(
            group.faults == [
                "group clash: --json is declared twice",
                "group clash: --help is reserved for the help page",
                "group clash: nothing can follow the repeated MANY",
                "group clash: MANY must come after ONE",
                "group clash: the abstract doesn't end with a period",
                "group clash: has no example",
            ])
        #expect(Sample.program.faults == [])
    }
}
