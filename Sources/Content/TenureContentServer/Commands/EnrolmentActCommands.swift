import TenureCommandLine
import TenureContent
import TenureCore
import TenureFormats
import TenureServerKit
import TenureStore

/// The commands `tenure enrolment show`, `pause`, `resume`, `extend` and `end`.
enum EnrolmentActCommands {
    private static let until: Argument<Timestamp?> = .optional(
        "until", "DATE", "The new end; without a time, 24:00 UTC of that day.", as: .end)
    private static let days: Argument<Int?> = .optional(
        "days", "N", "Extend it by this many days from its end, or from now if that has passed.",
        as: .int(in: 1...36_500))
    private static let endDate: Argument<Timestamp?> = .optional(
        "at", "DATE",
        "End it at this date, before its current end (without a time, 24:00 UTC of that day); default: now, permanently.",
        as: .end)
    private static let licenses = Argument.option(
        "licenses", "FATE", "What to do with its licenses.", as: .choice(of: Enrolment.EndedLicenses.self),
        default: Enrolment.EndedLicenses.keep)

    private static let arguments: [any DeclaredArgument] =
        [ContentReference.enrolment, ContentReference.tenant, SharedOptions.json] + SharedOptions.installation

    private static let changed = Schema.output(
        [("enrolment", CountedEnrolment.document.schema)], optional: [("playableUntil", Schema.integer().orNull)])

    static func show(_ installations: Installations) -> Command {
        Command(
            "show", "Shows one enrolment.", example: "tenure enrolment show enr_0000000000001", arguments: arguments,
            output: CountedEnrolment.document.output()
        ) { arguments, console in
            let installation = try await installations.open(arguments, console: console)
            let catalog = try await installation.catalog()
            let tenant = try ContentReference.tenant(arguments, in: catalog)
            let id = arguments[ContentReference.enrolment]
            let found = try await ContentContext(catalog: catalog, clock: installation.clock).enrolment(
                id, of: tenant)
            await installation.store.close()
            guard let found else { throw ContentReference.unknown(id, of: tenant) }
            if arguments[SharedOptions.json] {
                console.answer { $0.enrolment(found) }
                return .done
            }
            var table = TextTable([.text("enrolment"), .text(found.enrolment.id.description)])
            for line in CountedEnrolment.page { table.add([line.label, line.text(found)]) }
            console.answer(table)
            return .done
        }
    }

    static func pause(_ installations: Installations) -> Command {
        command(
            installations,
            "pause", "Stops new licenses and renewals.",
            "Devices keep what they have until its limits are reached. Repeating the command changes nothing.", .pause)
    }

    static func resume(_ installations: Installations) -> Command {
        command(
            installations,
            "resume", "Ends a pause.", "Renewals continue. Repeating the command changes nothing.", .resume)
    }

    static func extend(_ installations: Installations) -> Command {
        Command(
            "extend", "Extends an enrolment to a later end.",
            discussion: """
                Devices learn of it at their next renewal. An enrolment that never ends can't be extended; `tenure \
                enrolment end --at` gives it an end.
                """,
            example: "tenure enrolment extend enr_0000000000001 --days 30", arguments: [until, days] + arguments,
            output: changed
        ) { arguments, console in
            let length: Enrolment.Extension
            switch (arguments[until], arguments[days]) {
            case (let end?, nil): length = .until(end)
            case (nil, let days?): length = .days(days)
            default: throw UsageError("give either --until or --days")
            }
            return try await perform(installations, .extend(length), arguments, console)
        }
    }

    static func end(_ installations: Installations) -> Command {
        Command(
            "end", "Ends an enrolment permanently, or gives it an end.",
            discussion: """
                Prints how long devices may still play what they have without contacting the server. For a refund, use \
                --licenses revoke: devices lock the contents at their next contact. With --at, the enrolment gets an end \
                or an earlier one; devices learn of it at their next renewal, and the enrolment can still be extended.
                """,
            example: "tenure enrolment end enr_0000000000001 --licenses revoke",
            arguments: [endDate, licenses] + arguments, output: changed
        ) { arguments, console in
            guard let end = arguments[endDate] else {
                return try await perform(installations, .end(arguments[licenses]), arguments, console)
            }
            guard arguments[licenses] == .keep else { throw UsageError("--licenses needs an end now; omit --at") }
            return try await perform(installations, .endAt(end), arguments, console)
        }
    }

    private static func command(
        _ installations: Installations, _ name: String, _ abstract: String, _ discussion: String, _ act: EnrolmentAct
    ) -> Command {
        Command(
            name, abstract, discussion: discussion, example: "tenure enrolment \(name) enr_0000000000001",
            arguments: arguments,
            output: changed
        ) { arguments, console in
            try await perform(installations, act, arguments, console)
        }
    }

    private static func perform(
        _ installations: Installations, _ act: EnrolmentAct, _ arguments: Parsed, _ console: Console
    ) async throws -> ExitCode {
        let installation = try await installations.open(arguments, console: console)
        let catalog = try await installation.catalog()
        let tenant = try ContentReference.tenant(arguments, in: catalog)
        let id = arguments[ContentReference.enrolment]
        let outcome = try await ContentContext(catalog: catalog, clock: installation.clock).perform(
            act, on: id, of: tenant, by: .commandLine)
        await installation.store.close()
        switch outcome {
        case .done(let enrolment, let changed, let playable):
            if !changed { console.note("nothing changed: this was already done") }
            var line = "\(enrolment.enrolment.id): \(enrolment.line)"
            if act.tellsPlayable { line += "; \(playable.words)" }
            console.answer(line, asJSON: arguments[SharedOptions.json]) { body in
                body.object("enrolment") { $0.enrolment(enrolment) }
                guard act.tellsPlayable else { return }
                switch playable {
                case .nothing: break
                case .until(let end): body.member("playableUntil", end.seconds)
                case .unlimited: body.null("playableUntil")
                }
            }
            return .done
        case .refused(let refusal):
            console.answer(refusal: refusal, asJSON: arguments[SharedOptions.json])
            return .failed
        case .unknown: throw ContentReference.unknown(id, of: tenant)
        }
    }
}

extension ContentGrant.PlayableReach {
    /// How long devices can still play without a request, in words.
    fileprivate var words: String {
        switch self {
        case .nothing: "no device may play its contents any more"
        case .until(let end): "devices may play what they have until \(end.local)"
        case .unlimited: "devices may play what they have indefinitely"
        }
    }
}
