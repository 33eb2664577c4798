import TenureCommandLine
import TenureContent
import TenureCore
package import TenureServerKit

/// A field of ``Enrolment/Terms``, with everything that reads or writes it.
struct EnrolmentField: Sendable {
    /// How responses and `--json` write the field.
    let member: Document<CountedEnrolment>.Member
    /// How a page on the command line shows the field.
    let line: LabeledText<CountedEnrolment>
    /// The option that sets the field on the command line.
    let option: any DeclaredArgument
    /// Sets the field from a request; ``parse`` sets it from the option, and ``take`` from a row of an import.
    let read: @Sendable (inout FieldReader, inout Enrolment.Terms) throws -> Void
    let parse: @Sendable (Parsed, inout Enrolment.Terms) -> Void
    /// Sets the field from a row of an import; returns what is wrong with the row, or `nil`.
    let take: @Sendable (ImportedCells, inout Enrolment.Terms) -> String?

    /// Declares a field.
    ///
    /// - Parameters:
    ///   - type: The field's type in requests, to which a description is added.
    ///   - cell: Reads the field's column of an import; an inner `nil` rejects the row with `fault`.
    init<Value: Sendable>(
        _ path: any WritableKeyPath<Enrolment.Terms, Value?> & Sendable, _ member: Document<CountedEnrolment>.Member,
        line: LabeledText<CountedEnrolment>, reads type: FieldType<Value>, _ sentence: String,
        option: Argument<Value?>, cell: @escaping @Sendable (String, ImportedCells) -> Value??, fault: String = ""
    ) {
        let name = member.name
        (self.member, self.line, self.option) = (member, line, option)
        read = { fields, terms in terms[keyPath: path] = try fields.optional(name, type, sentence) }
        parse = { arguments, terms in terms[keyPath: path] = arguments[option] }
        take = { cells, terms in
            guard let given = cell(name, cells) else { return nil }
            guard let value = given else { return fault }
            terms[keyPath: path] = value
            return nil
        }
    }
}

/// The cells of one row of an import, by column. The closures record an error for a cell that can't be read.
struct ImportedCells {
    let text: (String) -> String?
    let start: (String) -> Timestamp?
    let end: (String) -> Timestamp?
}

extension EnrolmentField {
    /// All fields, in the order of an import's columns.
    static let all = others + dates
    static let others = [policy]
    static let dates = [start, end]

    private static let policy = EnrolmentField(
        \.policy,
        .textOrNull("policy", "The policy of its licenses; null for the policy of the course or content item.") {
            $0.enrolment.policy?.text
        },
        line: LabeledText("policy") { $0.enrolment.policy?.text ?? "-" },
        reads: .slug(), "The policy of its licenses.",
        option: .optional(
            "policy", "POLICY", "The policy of its licenses; default: the policy of the course or content.",
            as: .slug()),
        cell: { name, cells in cells.text(name).map { ContentPolicyID($0) } },
        fault: "The policy name is invalid. Use 1 to 64 characters: a-z, 0-9, _ and -.")

    private static let start = EnrolmentField(
        \.startsAt, .secondsOrNull("startsAt", "When it starts.") { $0.enrolment.startsAt },
        line: LabeledText("starts") { $0.enrolment.startsAt?.local ?? "at once" },
        reads: .seconds, "When it starts; null for now.",
        option: .optional(
            "from", "DATE", "When the enrolment starts (a date alone: 00:00 UTC of that day); default: at once.",
            as: .start),
        cell: { name, cells in cells.start(name).map(Optional.some) })

    fileprivate static let end = EnrolmentField(
        \.endsAt,
        .secondsOrNull("endsAt", "When it ends (exclusive); null if it has no end.") { $0.enrolment.endsAt },
        line: LabeledText("ends") { $0.enrolment.endsAt?.local ?? "never" },
        reads: .seconds, "When it ends (exclusive); null for no end.",
        option: .optional(
            "until", "DATE", "When the enrolment ends (a date alone: 24:00 UTC of that day); default: never.", as: .end),
        cell: { name, cells in cells.end(name).map(Optional.some) })
}

/// The forms of an enrolment in responses, for programs, and on the command line, for people.
extension CountedEnrolment {
    /// The schema of an enrolment in responses; times are in POSIX seconds.
    package static let document = Document<CountedEnrolment>(
        "Enrolment",
        [
            .text("id", "Its id on this server: `enr_` and 13 digits.") { $0.enrolment.id.description },
            .text("holder", "The holder it belongs to.") { $0.enrolment.holder },
            .textOrNull("course", "The course; null if it covers a single content item.") {
                $0.enrolment.scope.course?.text
            },
            .textOrNull("content", "The content item; null if it covers a course.") {
                $0.enrolment.scope.content?.text
            },
        ] + EnrolmentField.others.map(\.member) + [
            .choice(
                "state",
                "The current status. A paused enrolment is `paused` before its start, too; after its end it's `ended`."
            ) { $0.status }
        ] + EnrolmentField.dates.map(\.member) + [
            .textOrNull("reference", "The vendor's reference for it.") { $0.enrolment.reference },
            .integer("devices", "How many devices count against the limit.") { Int64($0.devices) },
            .integerOrNull("deviceLimit", "The device limit; null for no limit.") { $0.deviceLimit.map(Int64.init) },
        ])

    /// The lines of an enrolment's page on the command line, below its id.
    static let page: [LabeledText<CountedEnrolment>] =
        [.holder, .scope] + EnrolmentField.others.map(\.line) + [.state] + EnrolmentField.dates.map(\.line)
        + [LabeledText("reference") { $0.enrolment.reference ?? "-" }, .devices]

    /// The columns of a list of enrolments on the command line.
    static let columns: [LabeledText<CountedEnrolment>] = [
        LabeledText("enrolment") { $0.enrolment.id.description }, .holder, .scope, .state, EnrolmentField.end.line,
        .devices,
    ]
}

extension LabeledText<CountedEnrolment> {
    fileprivate static let holder = LabeledText("holder") { $0.enrolment.holder }
    fileprivate static let scope = LabeledText("to") { $0.enrolment.scope.description }
    fileprivate static let state = LabeledText.state("state") { $0.status.rawValue }
    fileprivate static let devices = LabeledText("devices") { $0.activationText }
}
