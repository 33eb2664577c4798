import TenureCommandLine
import Testing

struct UsageTests {
    @Test(arguments: [
        (
            ["--policy", "pro", "keys.csv"],
            """
            policy=pro count=1 data=./tenure-data holder=nobody shape=round tags=[] for=0 dryRun=false json=false \
            file=keys.csv more=[]
            """
        ),
        (
            [
                "--policy=pro", "--count=1000", "--data=a=b", "--holder", "-x", "--shape", "square", "--tag", "one",
                "-",
                "--tag=two", "--for", "30d", "--dry-run", "--json", "--", "--data", "-",
            ],
            """
            policy=pro count=1000 data=a=b holder=-x shape=square tags=["one", "two"] for=30 dryRun=true json=true \
            file=- more=["--data", "-"]
            """
        ),
    ])
    func `options are parsed as --name value and --name=value, in any order`(words: [String], answer: String) async {
        let answers = Transcript()
        let code = await Sample.program.run(["license", "issue"] + words, console: .recorded(answers: answers))
        #expect(answers.text == answer + "\n")
        #expect(code == .done)
    }

    @Test(arguments: [
        ([], "--policy ID is missing"),
        (["--policy", "pro"], "FILE is missing"),
        (["--polcy", "pro", "-"], "unknown option --polcy; did you mean --policy?"),
        (["--dry", "-"], "unknown option --dry; did you mean --dry-run?"),
        (["--frobnicate=7", "-"], "unknown option --frobnicate"),
        (["-n", "3"], "unknown option -n"),
        (["--policy"], "--policy needs a value: --policy ID"),
        (
            ["--policy", "--dry-run", "-"],
            "--policy needs a value: --policy ID (if the value begins with dashes, write --policy=--dry-run)"
        ),
        (["--policy", "a", "--policy", "b", "-"], "--policy may be given only once"),
        (["--policy=", "-"], "--policy '': the value must not be empty"),
        (["--policy=p", "--json=yes", "-"], "--json takes no value"),
        (["--policy=p", "--count=0", "-"], "--count 0: enter a whole number, 1 to 1000"),
        (["--policy=p", "--count=1001", "-"], "--count 1001: enter a whole number, 1 to 1000"),
        (
            ["--policy=p", "--count=9223372036854775808", "-"],
            "--count 9223372036854775808: enter a whole number, 1 to 1000"
        ),
        (["--policy=p", "--count", "-1", "-"], "--count -1: enter a whole number, 1 to 1000"),
        (["--policy=p", "--shape=sqare", "-"], "--shape sqare: use round or square; did you mean square?"),
        (["--policy=p", "--shape=Round", "-"], "--shape Round: use round or square; did you mean round?"),
        (["--policy=p", "--for=7", "-"], "--for 7: write days, such as 30d"),
        (["--\u{1B}[31m", "-"], #"unknown option --\u{1b}[31m"#),
    ])
    func `a command with wrong usage prints the fault and exits with 2`(words: [String], message: String) async {
        let answers = Transcript()
        let notes = Transcript()
        let console = Console.recorded(answers: answers, notes: notes)
        let code = await Sample.program.run(["license", "issue"] + words, console: console)
        #expect(notes.text == "tenure license issue: \(message)\nRun 'tenure license issue --help' for help.\n")
        #expect(answers.text == "")
        #expect(code == .usage)
    }

    @Test(arguments: [
        ([], "tenure", "a command is missing; use one of: license, help, version, completion"),
        (["license"], "tenure license", "a command is missing; use one of: issue, refuse, fail, contradict"),
        (["licence"], "tenure", "unknown command licence; did you mean license?"),
        (["licence", "--help"], "tenure", "unknown command licence; did you mean license?"),
        (["issue"], "tenure", "unknown command issue; did you mean 'tenure license issue'?"),
        (["xyzzy"], "tenure", "unknown command xyzzy"),
        (["--halp"], "tenure", "unknown option --halp; did you mean --help?"),
        (["-"], "tenure", "unknown option -"),
        ([""], "tenure", "unknown command ''"),
        (["version", "now"], "tenure version", "unexpected argument now"),
        (["license", "contradict"], "tenure license contradict", "--all and LICENSE exclude each other"),
    ])
    func `a usage error names the command, the fault and a similar name if there is one`(
        words: [String], call: String, message: String
    ) async {
        let notes = Transcript()
        let code = await Sample.program.run(words, console: .recorded(notes: notes))
        #expect(notes.text == "\(call): \(message)\nRun '\(call) --help' for help.\n")
        #expect(code == .usage)
    }

    @Test func `a command that ends with a refusal exits with 1`() async {
        let result = await Sample.run("license", "refuse")
        #expect(result == (.failed, "", "refused: the license is revoked\n"))
    }

    @Test func `with --json, an error is a JSON object on the error output`() async {
        let result = await Sample.run("license", "issue", "--json")
        #expect(result.code == .usage)
        #expect(result.answer == "")
        #expect(
            result.notes == """
                {"error":"--policy ID is missing","code":"usage_wrong","command":"tenure license issue"}

                """)
        let word = await Sample.run("license", "refuse", "--", "--json")
        #expect(word.notes.hasPrefix("tenure license refuse: unexpected argument --json\n"))
    }

    @Test func `a command that fails prints its error in one line and exits with 1`() async {
        let result = await Sample.run("license", "fail")
        #expect(
            result == (
                .failed, "",
                "tenure license fail: store_full: the disk is full; free some space and try again\n"
            ))
    }

    @Test func `the version is printed to standard output`() async {
        #expect(await Sample.run("version") == (.done, "tenure 1.2.3\n", ""))
        #expect(await Sample.run("--version") == (.done, "tenure 1.2.3\n", ""))
        #expect(await Sample.run("version", "--json") == (.done, #"{"version":"1.2.3"}"# + "\n", ""))
    }

    @Test func `a command whose output can't be written fails`() async {
        let notes = Transcript()
        let console = Console.recorded(answers: Transcript(problem: "No space left on device"), notes: notes)
        #expect(await Sample.program.run(["version"], console: console) == .failed)
        #expect(notes.text == "tenure: could not write the output: No space left on device\n")
    }
}
