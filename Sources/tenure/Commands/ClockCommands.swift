import TenureCommandLine
import TenureCore
import TenureFormats
import TenureServer
import TenureServerKit
import TenureStore

/// The command group `tenure clock`.
enum ClockCommands {
    static let group = CommandGroup(
        "clock", "Says that the machine's clock is right, where the server doubts it.",
        example: "tenure clock accept", commands: [accept])

    private static let accept = Command(
        "accept", "Takes the machine's clock as it is.",
        discussion: """
            A server that finds its clock set, far from the latest time that its store has seen, or apart from the \
            database's, gives and writes nothing that has a date. Set the clock right, and it goes on by itself. If the \
            clock is right, say so here: servers whose clocks are near it go on within five seconds. Without a doubt \
            nothing is changed that matters, and it ends with 0 too.
            """,
        example: "tenure clock accept --data ./tenure-data",
        arguments: [SharedOptions.json] + SharedOptions.installation
    ) { arguments, console in
        let now = SystemClock().now()
        guard arguments[SharedOptions.clock] == nil else {
            throw CommandError("A virtual clock is never doubted; leave --clock away.")
        }
        let place = try StorePlace.named(by: arguments)
        _ = try place.folder(creating: false)
        let store = try await place.open(creating: false)
        try await Installation.refuseUnfinishedCopy(store)
        let before = try await AcceptClock(store: store)(now, by: .commandLine)
        await store.close()
        let words = before.map { "; the latest time that the store had seen was \($0)" } ?? ""
        console.answer("accepted \(now)\(words)", asJSON: arguments[SharedOptions.json]) { body in
            body.member("accepted", now.description)
            body.member("latestSeen", before?.description)
        }
        return .done
    }
}
