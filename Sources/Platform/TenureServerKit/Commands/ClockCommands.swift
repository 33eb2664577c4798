import TenureCommandLine
import TenureCore
import TenureFormats
import TenureStore

/// The command group `tenure clock`.
enum ClockCommands {
    static func group(_ installations: Installations) -> CommandGroup {
        CommandGroup(
            "clock", "Confirms the machine's clock when the server does not trust it.",
            example: "tenure clock accept", commands: [accept(installations)])
    }

    private static func accept(_ installations: Installations) -> Command {
        Command(
            "accept", "Confirms that the machine's clock is right.",
            discussion: """
                A server does not trust its clock when the clock was changed, is far from the latest time in the store, \
                or differs from the database's clock. Until that is resolved, the server neither issues nor stores \
                anything with a date. Set the clock right and it continues automatically. If the clock is already \
                right, run this command: servers whose clocks agree continue within five seconds. If no server \
                distrusts its clock, the command has no effect and also exits with 0.
                """,
            example: "tenure clock accept --data ./tenure-data",
            arguments: [SharedOptions.json] + SharedOptions.installation,
            output: Schema.output([("accepted", .dateTime), ("latestSeen", .momentOrNull)])
        ) { arguments, console in
            let clock = SystemClock()
            let now = clock.now()
            guard arguments[SharedOptions.clock] == nil else {
                throw CommandError("A virtual clock is always trusted. Run the command without --clock.")
            }
            let location = try StoreLocation.named(by: arguments)
            _ = try location.folder(creating: false)
            let store = try await installations.engines.open(location, creating: false)
            try await Installation.refuseUnfinishedCopy(store)
            let before = try await FeatureContext(store, clock: clock).acceptClock(now, by: .commandLine)
            await store.close()
            let words = before.map { "; the latest time in the store was \($0.local)" } ?? ""
            console.answer("accepted \(now.local)\(words)", asJSON: arguments[SharedOptions.json]) { body in
                body.member("accepted", now.description)
                body.member("latestSeen", before?.description)
            }
            return .done
        }
    }
}
