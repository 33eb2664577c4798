import TenureCommandLine
import TenureCore
import TenureLicensing
import TenureServerKit

/// A field of a license that its vendor sets, with every format in which it is read or written.
struct LicenseField: Sendable {
    /// How the operator API and an option of the command line read a new value.
    struct Input: Sendable {
        let read: @Sendable (inout FieldReader) throws -> LicenseTerms.FieldChange?
        let option: Argument<LicenseTerms.FieldChange?>
    }

    /// The field in responses of the operator API and in `--json` output.
    let member: Document<AsOf<License>>.Member
    /// The field's line in the text output of commands.
    let line: LabeledText<AsOf<License>>
    /// The field's cell in a CSV file; empty if the field is unset.
    let cell: @Sendable (AsOf<License>) -> String
    /// How the field is read when licenses are issued; `nil` for the policy, which every order names separately.
    let issue: Input?
    /// How the field is read when a license is changed.
    let change: Input
    /// The field of a license in a catalog file.
    let listed: CatalogField<LicenseSpec.Draft>
    /// Whether the command line's lists have a column for the field, and its pages a line even if the field is unset.
    private(set) var isInLists = true

    /// Declares a field with an output of its own.
    private init(
        member: Document<AsOf<License>>.Member, line: LabeledText<AsOf<License>>,
        cell: @escaping @Sendable (AsOf<License>) -> String, issue: Input, change: Input,
        listed: CatalogField<LicenseSpec.Draft>
    ) {
        self.member = member
        self.line = line
        self.cell = cell
        self.issue = issue
        self.change = change
        self.listed = listed
    }

    /// Declares a field.
    ///
    /// - Parameters:
    ///   - label: The label in the text output of commands.
    ///   - unset: The text that commands print if the field is unset; `nil` if the field always has a value.
    ///   - text: Returns the field's value as text.
    ///   - words: Returns the text that commands print; by default the value, or `unset`.
    ///   - cell: Returns the cell of a CSV file; by default the value.
    init(
        _ name: String, label: String, unset: String? = nil, schema: Schema = .text(), _ sentence: String,
        text: @escaping @Sendable (AsOf<License>) -> String?, words: (@Sendable (AsOf<License>) -> String)? = nil,
        cell: (@Sendable (AsOf<License>) -> String)? = nil, issue: Input? = nil, change: Input,
        listed: CatalogField<LicenseSpec.Draft>
    ) {
        member =
            unset == nil
            ? .text(name, sentence, schema) { text($0) ?? "" } : .textOrNull(name, sentence, schema, text)
        line = LabeledText(label) { words?($0) ?? text($0) ?? unset ?? "" }
        self.cell = cell ?? { text($0) ?? "" }
        self.issue = issue
        self.change = change
        self.listed = listed
    }

    /// Declares an optional text.
    ///
    /// - Parameters:
    ///   - option: The option's name and the field's label in the text output of commands.
    ///   - sentence: The description in responses and in a catalog file.
    ///   - issue: The descriptions in requests that issue licenses, and in the help of the option.
    ///   - change: The descriptions in requests that change a license, and in the help of the option.
    ///   - set: Returns the change to a new text; an empty text removes the field's value.
    static func text(
        _ name: String, option: (name: String, label: String)? = nil, isInLists: Bool = true,
        format: TextFormat = .line, _ sentence: String, issue: (field: String, option: String),
        change: (field: String, option: String), text: @escaping @Sendable (LicenseTerms) -> String?,
        set: @escaping @Sendable (String) -> LicenseTerms.FieldChange
    ) -> LicenseField {
        func input(_ sentences: (field: String, option: String), removedBy removal: String?) -> Input {
            let field = sentences.field
            return Input(
                read: { fields in
                    switch try fields.clearable(name, format.member, field) {
                    case .left: nil
                    case .cleared: set("")
                    case .given(let text): set(text)
                    }
                },
                option: .optional(
                    option?.name ?? name, format.label, sentences.option,
                    as: ArgumentReading { value in
                        if value == removal { return set("") }
                        // An unset variable of a script must not remove a value.
                        if value.isEmpty, let removal { throw UsageError("enter a text, or \(removal) for none") }
                        return set(try format.option(value))
                    }))
        }
        var field = LicenseField(
            name, label: option?.label ?? name, unset: "-", sentence, text: { text($0.value.terms) },
            issue: input(issue, removedBy: nil),
            change: input(change, removedBy: "-"),
            listed: CatalogField(name, schema: { _ in format.listed.orNull.described(sentence) }) {
                node, draft, reader in
                guard let typed = reader.text(node) else { return }
                guard let text = format.read(typed) else { return reader.report(node, "must be \(format.must)") }
                draft.terms.append(set(text))
            })
        field.isInLists = isInLists
        return field
    }

    /// What a text field may contain. Without a text, the field is unset.
    struct TextFormat: Sendable {
        /// The placeholder for the value in the help of options.
        let label: String
        /// Converts the text of an option to the value; throws if it isn't allowed.
        let option: @Sendable (String) throws -> String
        /// The type of the value in requests.
        let member: FieldType<String>
        /// The schema of the value in a catalog file.
        let listed: Schema
        /// The requirement on a value of a catalog file, besides its length.
        let must: String
        /// Converts a value of a catalog file to the value to store; `nil` if it doesn't meet the requirement.
        let read: @Sendable (String) -> String?

        /// A text of at most 256 characters, without control characters.
        static let line = TextFormat(
            label: "TEXT",
            option: { text in
                let isShort = text.unicodeScalars.count <= 256
                guard isShort, text.unicodeScalars.allSatisfy({ $0.properties.generalCategory != .control }) else {
                    throw UsageError("enter at most 256 characters, without control characters")
                }
                return text
            },
            member: .line(0...256), listed: .text(length: 1...256), must: "a text", read: { $0 })

        /// An e-mail address, which is stored without the white space around it.
        static let email: TextFormat = {
            let must = "an e-mail address"
            let read: @Sendable (String) -> String? = { $0.isEmpty ? "" : EmailAddress.read($0) }
            return TextFormat(
                label: "EMAIL",
                option: { text in
                    guard let address = read(text) else { throw UsageError("enter \(must)") }
                    return address
                },
                member: .text(
                    must, like: "ada@example.com", takesEmpty: true,
                    schema: .text(length: 0...254, pattern: "^$|\(EmailAddress.pattern)"), read),
                listed: .text(length: 3...254, pattern: EmailAddress.pattern), must: must, read: read)
        }()
    }

    /// Declares an optional upper limit.
    ///
    /// - Parameters:
    ///   - unset: The word for the limit that applies if the field is unset, such as `policy`. The option for changing
    ///     a license accepts it to unset the field.
    ///   - sentence: The description in requests, in responses and in a catalog file.
    ///   - option: The help of the option for issuing licenses.
    ///   - changeOption: The help of the option for changing a license.
    ///   - set: Returns the change to a new value; `nil` removes the field's value.
    static func integer(
        _ name: String, label: String, _ range: ClosedRange<Int>, unset: String, _ sentence: String, option: String,
        changeOption: String, number: @escaping @Sendable (LicenseTerms) -> Int?,
        set: @escaping @Sendable (Int?) -> LicenseTerms.FieldChange
    ) -> LicenseField {
        func input(_ help: String, removedBy removal: String?) -> Input {
            Input(
                read: { fields in
                    switch try fields.clearable(name, .integer(range), sentence) {
                    case .left: nil
                    case .cleared: set(nil)
                    case .given(let value): set(value)
                    }
                },
                option: .optional(
                    "activation-limit", "N", help,
                    as: removal.map { ArgumentReading.int(in: range).orNil($0).map(set) }
                        ?? ArgumentReading.int(in: range).map(set)))
        }
        let text: @Sendable (AsOf<License>) -> String? = { number($0.value.terms).map(String.init) }
        return LicenseField(
            member: .integerOrNull(name, sentence) { number($0.value.terms).map(Int64.init) },
            line: LabeledText(label) { text($0).map { "at most \($0)" } ?? "as many as its \(unset) allows" },
            cell: { text($0) ?? "" },
            issue: input(option, removedBy: nil), change: input(changeOption, removedBy: unset),
            listed: CatalogField(
                name,
                schema: { _ in
                    Schema.integer(Int64(range.lowerBound)...Int64(range.upperBound)).orNull.described(sentence)
                }
            ) { node, draft, reader in
                let found = reader.problems.count
                let value = reader.integer(node, in: range)
                if reader.problems.count == found { draft.terms.append(set(value)) }
            })
    }
}
