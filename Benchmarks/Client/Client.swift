import Foundation
import Glibc
import TenureClient

/// Measures the client through its public API, as an app uses it. See Benchmarks/README.md.
///
/// ```
/// bench-client activate SERVER DIALECT FOLDER COUNT KEY     activates COUNT times, each with a new manager
/// bench-client launch SERVER DIALECT FOLDER COUNT           launches COUNT times without a request
/// bench-client refresh SERVER DIALECT FOLDER COUNT CLOCK    refreshes COUNT times, 7 hours apart by the clock file
/// bench-client silent SERVER DIALECT FOLDER COUNT CLOCK     launches COUNT times, 7 hours apart, without a response
/// bench-client idle SERVER DIALECT FOLDER KEY               activates, prints `idle`, and keeps the license fresh
/// bench-client nothing SERVER DIALECT FOLDER                prints `idle` and sleeps
/// ```
///
/// Prints one JSON object with times in microseconds.
@main struct Client {
    static func main() async throws {
        // Runs outside the main actor, on which the program starts, so that all work there is the client's.
        try await Task.detached { try await run() }.value
    }

    private static func run() async throws {
        let words = Array(CommandLine.arguments.dropFirst())
        guard words.count >= 4, let app = App(server: words[1], dialect: words[2], folder: words[3]) else { usage() }
        switch (words[0], words.count, words.count > 4 ? Int(words[4]) : nil) {
        case ("activate", 6, let count?): try await app.activate(words[5], times: count)
        case ("launch", 5, let count?): try await app.launch(times: count)
        case ("refresh", 6, let count?): try await app.refresh(times: count, clock: words[5])
        case ("silent", 6, let count?): try await app.silent(times: count, clock: words[5])
        case ("idle", 5, _): try await app.idle(words[4])
        case ("nothing", 4, _): try await app.nothing()
        default: usage()
        }
    }

    private static func usage() -> Never {
        fail(
            "usage: bench-client activate|launch|refresh|silent|idle|nothing SERVER DIALECT FOLDER [COUNT|KEY [KEY|CLOCK]]",
            code: 2)
    }
}

/// Prints a message and ends the program.
func fail(_ text: String, code: Int32 = 1) -> Never {
    FileHandle.standardError.write(Data((text + "\n").utf8))
    exit(code)
}
