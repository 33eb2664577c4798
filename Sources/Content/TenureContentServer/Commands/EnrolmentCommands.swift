import TenureCommandLine
import TenureContent
import TenureCore
import TenureFormats
import TenureServerKit
import TenureStore

/// The command group `tenure enrolment`.
enum EnrolmentCommands {
    static func group(_ installations: Installations) -> CommandGroup {
        CommandGroup(
            "enrolment", "Manages who may keep which courses and contents offline.",
            discussion: """
                A holder is the vendor's identifier of a person. An enrolment grants a holder a whole course or one \
                content; devices get licenses under it.
                """,
            example: "tenure enrolment add ada --course algebra --until 2027-06-30",
            commands: [
                EnrolmentAddCommand.command(installations), EnrolmentListCommand.command(installations),
                EnrolmentActCommands.show(installations),
                EnrolmentActCommands.pause(installations), EnrolmentActCommands.resume(installations),
                EnrolmentActCommands.extend(installations),
                EnrolmentActCommands.end(installations), EnrolmentImportCommand.command(installations),
            ])
    }
}

/// The command `tenure enrolment add`.
enum EnrolmentAddCommand {
    private static let holder = Argument.positional(
        "HOLDER", "The person to enrol: any text, such as an e-mail address.", as: .text)
    private static let course: Argument<CourseID?> = .optional(
        "course", "COURSE", "The course to enrol in.", as: .slug())
    private static let content: Argument<ContentID?> = .optional(
        "content", "CONTENT", "The single content to enrol in.", as: .content)
    private static let reference: Argument<String?> = .optional(
        "reference", "TEXT",
        "The vendor's own reference; using it again replaces the dates and the policy, by their defaults if omitted.",
        as: .text)

    static func command(_ installations: Installations) -> Command {
        Command(
            "add", "Enrols a holder in a course, or in one content.",
            discussion:
                "With --reference, repeating the command changes nothing. Without it, each call creates another enrolment.",
            example: "tenure enrolment add ada --course algebra --until 2027-06-30 --reference order-17",
            arguments: [holder, course, content] + EnrolmentField.all.map(\.option)
                + [reference, ContentReference.tenant, SharedOptions.json] + SharedOptions.installation,
            output: CountedEnrolment.document.output()
        ) { arguments, console in
            let scope: Enrolment.Scope
            switch (arguments[course], arguments[content]) {
            case (let course?, nil): scope = .course(course)
            case (nil, let content?): scope = .content(content)
            default: throw UsageError("give either --course or --content")
            }
            var terms = Enrolment.Terms()
            for field in EnrolmentField.all { field.parse(arguments, &terms) }
            if terms.isEmpty { throw UsageError("--until must be later than --from") }
            let installation = try await installations.open(arguments, console: console)
            let catalog = try await installation.catalog()
            let tenant = try ContentReference.tenant(arguments, in: catalog)
            let order = EnrolmentOrder(
                holder: arguments[holder], scope: scope, terms: terms, reference: arguments[reference])
            let outcome = try await ContentContext(catalog: catalog, clock: installation.clock).addEnrolment(
                order, of: tenant, by: .commandLine)
            await installation.store.close()
            switch outcome {
            case .done(let enrolment, let isNew, let changed):
                if !changed { console.note("nothing changed: this was already done") }
                if changed, let warning = enrolment.enrolment.terms.endedWarning(at: installation.clock.now()) {
                    console.warn(warning)
                }
                let verb = isNew ? "added" : changed ? "changed" : "known"
                console.answer(
                    "\(verb) \(enrolment.enrolment.id): \(enrolment.line)",
                    asJSON: arguments[SharedOptions.json]
                ) { $0.enrolment(enrolment) }
                return .done
            case .refused(let refusal):
                console.answer(refusal: refusal, asJSON: arguments[SharedOptions.json])
                return .failed
            case .notOffered(let missing):
                throw CommandError(
                    "\(missing.explanation.sentence) Add it to the catalog file and run `tenure apply FILE`.")
            }
        }
    }
}

/// The command `tenure enrolment list`.
enum EnrolmentListCommand {
    private static let course: Argument<CourseID?> = .optional(
        "course", "COURSE", "List only enrolments in this course.", as: .slug())
    private static let state: Argument<Enrolment.Status?> = .optional(
        "state", "STATE", "List only enrolments in this state.", as: .choice())
    private static let after: Argument<EnrolmentID?> = .optional(
        "after", "ENROLMENT", "Start after this enrolment, the last one on the previous page.",
        as: .numbered("an enrolment's id"))

    static func command(_ installations: Installations) -> Command {
        Command(
            "list", "Lists enrolments, newest first.", example: "tenure enrolment list --holder ada",
            arguments: [
                ContentReference.holder, course, state, after, ContentReference.limit, ContentReference.tenant,
                SharedOptions.json, SharedOptions.wide,
            ] + SharedOptions.installation,
            output: Schema.page("enrolments", of: CountedEnrolment.document.schema)
        ) { arguments, console in
            let installation = try await installations.open(arguments, console: console)
            let catalog = try await installation.catalog()
            let tenant = try ContentReference.tenant(arguments, in: catalog)
            let filter = EnrolmentFilter(
                holder: arguments[ContentReference.holder], course: arguments[course], state: arguments[state])
            let enrolments = try await ContentContext(catalog: catalog, clock: installation.clock)
                .newestEnrolments(
                    filter, of: tenant, after: arguments[after], limit: arguments[ContentReference.limit])
            await installation.store.close()
            console.answer(
                enrolments, "enrolments", CountedEnrolment.document, CountedEnrolment.columns,
                asJSON: arguments[SharedOptions.json], limit: arguments[ContentReference.limit])
            return .done
        }
    }
}

extension Enrolment.Terms {
    /// A warning if the end has passed; `nil` otherwise.
    func endedWarning(at now: Timestamp) -> String? {
        guard let endsAt, endsAt <= now else { return nil }
        return "the end is in the past (\(endsAt.local)), so this enrolment allows nothing"
    }
}

extension CountedEnrolment {
    /// The holder, the course or content and the state, on one line.
    var line: String {
        let end = enrolment.endsAt?.local ?? "never"
        let words =
            switch status {
            case .open: "until \(end)"
            case .notStarted: "from \(enrolment.startsAt?.local ?? "now") until \(end)"
            case .ended where enrolment.state != .ended: "ended on \(end)"
            case .paused, .ended: status.rawValue
            }
        return "\(enrolment.holder) in \(enrolment.scope), \(words)"
    }

    /// The number of devices that count towards the device limit, with that limit if there is one, as text.
    var activationText: String { deviceLimit.map { "\(devices) of \($0)" } ?? "\(devices)" }
}
