import Glibc
import TenureCommandLine

/// The program.
@main
struct Tenure {
    static func main() async {
        let code = await program.run(Array(CommandLine.arguments.dropFirst()), console: .standard())
        exit(code.rawValue)
    }

    /// Every command, declared once.
    static let program = Program(
        "tenure", version: Version.current, "Issues, renews and revokes licenses.",
        example: "tenure version", commands: [])
}
