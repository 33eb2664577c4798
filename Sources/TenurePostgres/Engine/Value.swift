import TenureCore
import TenureStore

/// What is bound to a place of a statement: a value, or one column of many rows for `unnest`.
enum Value {
    case integer(Int64)
    case text(String)
    case blob([UInt8])
    case flag(Bool)
    /// The sixteen bytes of a name.
    case id(ActivationID)
    case null
    case integers([Int64?])
    case texts([String?])
    case blobs([[UInt8]?])
    case flags([Bool])
    case ids([ActivationID?])

    static func integer(_ number: Int?) -> Value { number.map { .integer(Int64($0)) } ?? .null }
    static func text(_ text: String?) -> Value { text.map { .text($0) } ?? .null }
    static func blob(_ digest: Digest?) -> Value { digest.map { .blob($0.bytes) } ?? .null }
    static func moment(_ moment: Timestamp?) -> Value { moment.map { .integer($0.seconds) } ?? .null }
    static func slug<Named>(_ slug: Slug<Named>?) -> Value { slug.map { .text($0.text) } ?? .null }
    static func license(_ id: LicenseID) -> Value { .integer(id.number) }
}

extension Value {
    init(_ stored: StoredValue) {
        self =
            switch stored {
            case .integer(let number): .integer(number)
            case .text(let text): .text(text)
            case .blob(let bytes): .blob(bytes)
            case .flag(let flag): .flag(flag)
            case .null: .null
            }
    }

    /// One column of many rows, of a type that the values are of unless they are NULL.
    static func column(_ values: [StoredValue], as type: ColumnType) -> Value {
        switch type {
        case .integer: .integers(values.map { if case .integer(let number) = $0 { number } else { nil } })
        case .text: .texts(values.map { if case .text(let text) = $0 { text } else { nil } })
        case .blob: .blobs(values.map { if case .blob(let bytes) = $0 { bytes } else { nil } })
        case .flag: .flags(values.map { $0 == .flag(true) })
        }
    }
}

/// What the values of a column are.
enum ColumnType {
    case integer
    case text
    case blob
    case flag
}
