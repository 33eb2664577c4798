package import TenureCore
import TenureFormats
import TenureHTTP

/// Reads a request's members one by one for ``Fields``.
///
/// Without a request, it records the members' declarations and returns placeholder values.
package struct FieldReader: ~Copyable {
    private var source: RequestMembers?
    private(set) var declaration = FieldDeclaration()

    init() { source = nil }

    init(
        request: Request, path: PathParameters, format: ResponseFormat, longestBody: Int?, declaration: FieldDeclaration
    ) {
        source = RequestMembers(
            request: request, path: path, format: format, longestBody: longestBody, declaration: declaration)
    }

    /// Reads a required member.
    ///
    /// - Parameters:
    ///   - name: The member's name.
    ///   - fieldType: The member's type.
    ///   - location: The part of the request that contains the member.
    ///   - sentence: The description for the schema.
    package mutating func required<Value>(
        _ name: String, _ fieldType: FieldType<Value>, in location: FieldFault.Location = .body, _ sentence: String = ""
    ) throws(Failure) -> Value {
        // Handled first, because an optional result, as in `optional`, would need a look-up of its type at runtime on
        // every request.
        guard !isDeclaring else {
            note(name, location, fieldType.schema.described(sentence), isRequired: true)
            return fieldType.sample()
        }
        switch try source!.find(name, fieldType, location) {
        case .value(let value): return value
        case .absent, .null: throw Failure(FieldFault(name, in: location, .missing(must: fieldType.must)))
        }
    }

    /// Reads an optional member. Returns `nil` if the member is absent, or if it's `null` in a body.
    package mutating func optional<Value>(
        _ name: String, _ fieldType: FieldType<Value>, in location: FieldFault.Location = .body, _ sentence: String = ""
    ) throws(Failure) -> Value? {
        switch try source?.find(name, fieldType, location) {
        case .value(let value): return value
        case .absent, .null: return nil
        case nil:
            note(name, location, fieldType.optionalSchema(in: location).described(sentence), isRequired: false)
            return nil
        }
    }

    /// Reads a member that only some callers must send.
    ///
    /// The OpenAPI description lists the member as required. The endpoint must reject the request of a caller that
    /// must send it but doesn't.
    package mutating func requiredOfSome<Value>(
        _ name: String, _ fieldType: FieldType<Value>, in location: FieldFault.Location = .body, _ sentence: String = ""
    ) throws(Failure) -> Value? {
        guard !isDeclaring else {
            note(name, location, fieldType.schema.described(sentence), isRequired: true)
            return nil
        }
        return try optional(name, fieldType, in: location)
    }

    /// Reads an optional integer. The schema includes its default.
    package mutating func optional(
        _ name: String, _ fieldType: FieldType<Int>, in location: FieldFault.Location = .body, else value: Int,
        _ sentence: String = ""
    ) throws(Failure) -> Int {
        guard !isDeclaring else {
            note(
                name, location,
                fieldType.optionalSchema(in: location).adding("default", .number(Int64(value))).described(sentence),
                isRequired: false)
            return value
        }
        return try optional(name, fieldType, in: location) ?? value
    }

    /// Reads a body member that distinguishes between absence and `null`.
    package mutating func clearable<Value>(
        _ name: String, _ fieldType: FieldType<Value>, _ sentence: String = ""
    ) throws(Failure) -> FieldReader.Clearable<Value> {
        switch try source?.find(name, fieldType, .body) {
        case .absent: return .left
        case .null: return .cleared
        case .value(let value): return .given(value)
        case nil:
            note(name, .body, fieldType.schema.orNull.described(sentence), isRequired: false)
            return .left
        }
    }

    /// Reads the end of a term, where `null` means that the term never ends. Returns `nil` if the member is absent.
    package mutating func end(_ name: String, _ sentence: String) throws(Failure) -> TermEnd? {
        switch try clearable(name, .end, sentence) {
        case .left: nil
        case .cleared: .never
        case .given(let end): .at(end)
        }
    }

    /// Reads a body without members. Rejects unknown members if the format does.
    package mutating func nothing() throws(Failure) {
        if isDeclaring { declaration.body = .members }
        try source?.scan()
    }

    /// Reads the body's bytes without decoding them.
    package mutating func bytes() throws(Failure) -> [UInt8] {
        if isDeclaring { declaration.body = .raw }
        try source?.checkBody()
        return source?.request.body ?? []
    }

    /// Rejects a request that gives only one of two body members.
    ///
    /// - Parameter isSo: Whether the request gives only one of the members.
    package mutating func refuseOneAlone(_ one: String, _ other: String, _ isSo: Bool) throws(Failure) {
        if isSo { throw Failure(FieldFault(one, .other("send both \(one) and \(other), or neither"))) }
        guard isDeclaring else { return }
        declaration.rules.append("Send both `\(one)` and `\(other)`, or neither.")
    }

    /// Rejects a request that gives both of two body members.
    ///
    /// - Parameter isSo: Whether the request gives both members.
    package mutating func refuseBoth(_ one: String, _ other: String, _ isSo: Bool) throws(Failure) {
        if isSo { throw Failure(FieldFault(one, .other("send \(one) or \(other), not both"))) }
        guard isDeclaring else { return }
        declaration.rules.append("Send at most one of `\(one)` and `\(other)`.")
    }

    /// Whether there is no request, so that members are only declared.
    var isDeclaring: Bool { source == nil }

    /// Declares that exactly one of two body members must be given and not `null`.
    mutating func demandOne(of one: String, _ other: String) {
        declaration.rules.append("Send exactly one of `\(one)` and `\(other)`.")
        declaration.needsOneOfTwo = true
    }

    /// Rejects unknown query parameters if the format is strict.
    mutating func checkQuery() throws(Failure) { try source?.checkQuery() }

    private mutating func note(
        _ name: String, _ location: FieldFault.Location, _ schema: @escaping @autoclosure @Sendable () -> Schema,
        isRequired: Bool
    ) {
        declaration.members.append(.init(name: name, location: location, isRequired: isRequired, schema: schema()))
        if location == .body { declaration.body = .members }
    }
}

extension FieldType {
    /// The schema of an optional member, which may be `null` only in a body.
    fileprivate func optionalSchema(in location: FieldFault.Location) -> Schema {
        location == .body ? schema.orNull : schema
    }
}

extension FieldReader {
    /// The value of a member that distinguishes between absence, `null` and a value.
    package enum Clearable<Value: Sendable>: Sendable {
        /// The member is absent, so the current value stays.
        case left
        /// The member is `null`, which removes the current value.
        case cleared
        /// The member is this value, which replaces the current one.
        case given(Value)
    }
}
