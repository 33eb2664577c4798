import TenureCore

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
    case blobs([[UInt8]])
    case ids([ActivationID?])

    static func integer(_ number: Int?) -> Value { number.map { .integer(Int64($0)) } ?? .null }
    static func text(_ text: String?) -> Value { text.map { .text($0) } ?? .null }
    static func blob(_ digest: Digest?) -> Value { digest.map { .blob($0.bytes) } ?? .null }
    static func moment(_ moment: Timestamp?) -> Value { moment.map { .integer($0.seconds) } ?? .null }
    static func slug<Named>(_ slug: Slug<Named>?) -> Value { slug.map { .text($0.text) } ?? .null }
    static func license(_ id: LicenseID) -> Value { .integer(id.number) }
}
