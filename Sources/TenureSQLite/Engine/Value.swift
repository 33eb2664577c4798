import TenureCore
import TenureStore

/// What is bound to a place of a statement.
enum Value {
    case integer(Int64)
    case text(String)
    case blob([UInt8])
    /// The sixteen bytes of a name.
    case id(ActivationID)
    case null

    static func integer(_ number: Int?) -> Value { number.map { .integer(Int64($0)) } ?? .null }
    static func text(_ text: String?) -> Value { text.map { .text($0) } ?? .null }
    static func blob(_ digest: Digest?) -> Value { digest.map { .blob($0.bytes) } ?? .null }
    static func id(_ id: ActivationID?) -> Value { id.map { .id($0) } ?? .null }
    static func moment(_ moment: Timestamp?) -> Value { moment.map { .integer($0.seconds) } ?? .null }
    static func flag(_ flag: Bool) -> Value { .integer(flag ? 1 : 0) }
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
}
