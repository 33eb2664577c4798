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
    /// How the field is read when licenses are issued; `nil` if every order must name it.
    let issue: Input?
    /// How the field is read when a license is changed.
    let change: Input
    /// The field of a license in a catalog file.
    let listed: CatalogField<LicenseSpec.Draft>

    /// Declares a field.
    ///
    /// - Parameters:
    ///   - label: The label in the text output of commands.
    ///   - unset: What commands print if the field is unset; `nil` if the field always has a value.
    ///   - text: Returns the field's value as text.
    ///   - words: Returns what commands print; by default the value, or `unset`.
    ///   - cell: Returns what a CSV file contains; by default the value.
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

    /// Declares an optional text of at most 256 characters.
    ///
    /// - Parameters:
    ///   - sentence: The description in responses and in a catalog file.
    ///   - issue: The descriptions in requests that issue licenses, and in the help of the option.
    ///   - change: The descriptions in requests that change a license, and in the help of the option.
    ///   - set: Returns the change to a new text; an empty text removes the field's value.
    static func text(
        _ name: String, _ sentence: String, issue: (field: String, option: String),
        change: (field: String, option: String), text: @escaping @Sendable (LicenseTerms) -> String?,
        set: @escaping @Sendable (String) -> LicenseTerms.FieldChange
    ) -> LicenseField {
        func input(_ sentences: (field: String, option: String), removedBy removal: String?) -> Input {
            let field = sentences.field
            return Input(
                read: { fields in
                    switch try fields.clearable(name, .line(0...256), field) {
                    case .left: nil
                    case .cleared: set("")
                    case .given(let text): set(text)
                    }
                },
                option: .optional(
                    name, "TEXT", sentences.option,
                    as: ArgumentReading<String>.shortText.map { set($0 == removal ? "" : $0) }))
        }
        return LicenseField(
            name, label: name, unset: "-", sentence, text: { text($0.value.terms) },
            issue: input(issue, removedBy: nil),
            change: input(change, removedBy: "-"),
            listed: CatalogField(name, schema: { _ in .text(length: 1...256).orNull.described(sentence) }) {
                node, draft, reader in
                if let text = reader.text(node) { draft.terms.append(set(text)) }
            })
    }
}
