package import TenureCore
import TenureFormats
import TenureHTTP

/// Reads a request's members one by one for ``Fields``.
///
/// Without a request, it records the members' declarations and returns placeholders.
package struct FieldReader {
    /// A class, because each member reads it and a copy of all this would count a dozen references.
    private final class Source {
        let request: Request
        let path: PathParameters
        let style: ResponseFormat
        let longestBody: Int?
        let known: FieldDeclaration

        init(_ request: Request, _ path: PathParameters, _ style: ResponseFormat, _ longest: Int?, _ known: FieldDeclaration) {
            self.request = request
            self.path = path
            self.style = style
            longestBody = longest
            self.known = known
        }
    }

    private let source: Source?
    private(set) var declaration = FieldDeclaration()
    private var object: FlatObject?
    private var form: QueryItems?
    private var query: QueryItems?

    init() { source = nil }

    init(request: Request, path: PathParameters, style: ResponseFormat, longestBody: Int?, known: FieldDeclaration) {
        source = Source(request, path, style, longestBody, known)
    }

    /// Reads a required member.
    ///
    /// - Parameters:
    ///   - name: The member's name.
    ///   - shape: The member's type.
    ///   - place: The part of the request that contains it.
    ///   - sentence: The description for the schema.
    package mutating func required<Value>(
        _ name: String, _ shape: FieldType<Value>, in place: FieldFault.Caller = .body, _ sentence: String = ""
    ) throws(Failure) -> Value {
        guard let source else {
            note(name, place, shape.schema.described(sentence), isRequired: true)
            return shape.sample()
        }
        switch try find(name, shape, place, source) {
        case .value(let value): return value
        case .absent, .null: throw Failure(FieldFault(name, in: place, .missing(must: shape.must)))
        }
    }

    /// Reads an optional member; `nil` if it's absent, or `null` in a body.
    package mutating func optional<Value>(
        _ name: String, _ shape: FieldType<Value>, in place: FieldFault.Caller = .body, _ sentence: String = ""
    ) throws(Failure) -> Value? {
        guard let source else {
            let schema = place == .body ? shape.schema.orNull : shape.schema
            note(name, place, schema.described(sentence), isRequired: false)
            return nil
        }
        if case .value(let value) = try find(name, shape, place, source) { return value }
        return nil
    }

    /// Reads a member that is required from some callers only.
    ///
    /// The OpenAPI description lists it as required. The endpoint must reject its absence where it's needed.
    package mutating func requiredOfSome<Value>(
        _ name: String, _ shape: FieldType<Value>, in place: FieldFault.Caller = .body, _ sentence: String = ""
    ) throws(Failure) -> Value? {
        guard source != nil else {
            note(name, place, shape.schema.described(sentence), isRequired: true)
            return nil
        }
        return try optional(name, shape, in: place)
    }

    /// Reads an optional whole number with a default, which the schema includes.
    package mutating func optional(
        _ name: String, _ shape: FieldType<Int>, in place: FieldFault.Caller = .body, else value: Int,
        _ sentence: String = ""
    ) throws(Failure) -> Int {
        guard source != nil else {
            let schema = place == .body ? shape.schema.orNull : shape.schema
            note(
                name, place, schema.adding("default", .number(Int64(value))).described(sentence), isRequired: false)
            return value
        }
        return try optional(name, shape, in: place) ?? value
    }

    /// Reads a body member whose absence means something else than `null`.
    package mutating func clearable<Value>(
        _ name: String, _ shape: FieldType<Value>, _ sentence: String = ""
    ) throws(Failure) -> FieldReader.Clearable<Value> {
        guard let source else {
            note(name, .body, shape.schema.orNull.described(sentence), isRequired: false)
            return .left
        }
        switch try find(name, shape, .body, source) {
        case .absent: return .left
        case .null: return .cleared
        case .value(let value): return .given(value)
        }
    }

    /// Reads the end of a term, where `null` means that it never ends; returns `nil` if the member is absent.
    package mutating func end(_ name: String, _ sentence: String) throws(Failure) -> TermEnd? {
        switch try clearable(name, .moment, sentence) {
        case .left: nil
        case .cleared: .never
        case .given(let end): .at(end)
        }
    }

    /// Reads a body without members; rejects unknown members if the format does.
    package mutating func nothing() throws(Failure) {
        guard let source else {
            declaration.body = .members
            return
        }
        try scan(source)
    }

    /// Reads the body's bytes without decoding them.
    package mutating func bytes() throws(Failure) -> [UInt8] {
        guard let source else {
            declaration.body = .raw
            return []
        }
        try checkBody(source)
        return source.request.body
    }

    /// Rejects a request that gives only one of two body members.
    ///
    /// - Parameter isSo: Whether the request gives only one of them.
    package mutating func refuseOneAlone(_ one: String, _ other: String, _ isSo: Bool) throws(Failure) {
        if isSo { throw Failure(FieldFault(one, .other("send both \(one) and \(other), or neither"))) }
        guard source == nil else { return }
        declaration.rules.append(
            .init("dependentRequired", [one: .list([.text(other)]), other: .list([.text(one)])]))
    }

    /// Rejects a request that gives both of two body members.
    ///
    /// - Parameter isSo: Whether the request gives both.
    package mutating func refuseBoth(_ one: String, _ other: String, _ isSo: Bool) throws(Failure) {
        if isSo { throw Failure(FieldFault(one, .other("send \(one) or \(other), not both"))) }
        guard source == nil else { return }
        let isGiven: JSONTree = ["not": ["type": "null"]]
        declaration.rules.append(
            .init(
                "not",
                [
                    "required": .list([.text(one), .text(other)]),
                    "properties": .object([
                        .init(one, isGiven), .init(other, isGiven),
                    ]),
                ]))
    }

    /// Whether there is no request, so members are only declared.
    var isDeclaring: Bool { source == nil }

    /// Adds a schema rule: exactly one of two body members must be given and not `null`.
    mutating func demandOne(of one: String, _ other: String) {
        let alternatives = [one, other].map { name -> JSONTree in
            ["required": [.text(name)], "properties": .object([.init(name, ["not": ["type": "null"]])])]
        }
        declaration.rules.append(.init("oneOf", .list(alternatives)))
    }

    private enum Found<Value> {
        case absent, null
        case value(Value)
    }

    private mutating func note(
        _ name: String, _ place: FieldFault.Caller, _ schema: Schema, isRequired: Bool
    ) {
        declaration.members.append(.init(name: name, place: place, isRequired: isRequired, schema: schema))
        if place == .body { declaration.body = .members }
    }

    private mutating func find<Value>(
        _ name: String, _ shape: FieldType<Value>, _ place: FieldFault.Caller, _ source: Source
    ) throws(Failure) -> Found<Value> {
        switch place {
        case .body:
            if object == nil, form == nil { try scan(source) }
            if let object { return try find(name, shape, in: object, source) }
            return try read(form?[name].flatMap { $0.isEmpty ? nil : $0 }, name, shape, place)
        case .query:
            return try read(try items(source)[name], name, shape, place)
        case .path:
            return try read(source.path[name], name, shape, place)
        case .header:
            let values = source.request.headers.values(name)
            guard values.count < 2 else {
                throw Failure(FieldFault(name, in: place, .other("must be sent once, not \(values.count) times")))
            }
            return try read(values.first, name, shape, place)
        }
    }

    private func read<Value>(
        _ text: String?, _ name: String, _ shape: FieldType<Value>, _ place: FieldFault.Caller
    ) throws(Failure) -> Found<Value> {
        guard let text else { return .absent }
        try checkLength(text, name, shape, place)
        guard let value = shape.value(ofText: text) else {
            throw Failure(FieldFault(name, in: place, .invalid(must: shape.must)))
        }
        return .value(value)
    }

    private func find<Value>(
        _ name: String, _ shape: FieldType<Value>, in object: FlatObject, _ source: Source
    ) throws(Failure) -> Found<Value> {
        switch shape.kind {
        case .text(let read):
            // Written out, because most members are texts and generic code is slow.
            switch object.string(name) {
            case .absent: return .absent
            case .null: return .null
            case .wrongType: throw Failure(FieldFault(name, .invalid(must: shape.mustInKind)))
            case .value(let text):
                if text.isEmpty, !shape.takesEmpty, source.style.readsEmptyAsAbsent { return .absent }
                try checkLength(text, name, shape, .body)
                guard let value = read(text) else { throw Failure(FieldFault(name, .invalid(must: shape.must))) }
                return .value(value)
            }
        case .integer(let read):
            return try value(object.wholeNumber(name), name, shape) { read($0).map { .value($0) } }
        case .boolean(let read):
            return try value(object.boolean(name), name, shape) { read($0).map { .value($0) } }
        case .objects(let read):
            return try value(object.elements(name), name, shape) { (inner: [FlatObject?]) throws(Failure) in
                do throws(FieldType<Value>.Fault) {
                    return .value(try read(inner))
                } catch {
                    throw Failure(FieldFault(name + error.pointer, .other(error.words)))
                }
            }
        case .texts(let read):
            return try value(object.strings(name), name, shape) { (inner: [String]) throws(Failure) in
                do throws(FieldType<Value>.Fault) {
                    return .value(try read(inner))
                } catch {
                    throw Failure(FieldFault(name + error.pointer, .other(error.words)))
                }
            }
        case .object(let read):
            return try value(object.object(name), name, shape) { (inner: FlatObject) throws(Failure) in
                do throws(FieldType<Value>.Fault) {
                    return .value(try read(inner))
                } catch {
                    throw Failure(FieldFault(name + error.pointer, .other(error.words)))
                }
            }
        }
    }

    private func value<Raw, Value>(
        _ member: FlatObject.Member<Raw>, _ name: String, _ shape: FieldType<Value>,
        _ read: (Raw) throws(Failure) -> Found<Value>?
    ) throws(Failure) -> Found<Value> {
        switch member {
        case .absent: return .absent
        case .null: return .null
        case .wrongType: throw Failure(FieldFault(name, .invalid(must: shape.mustInKind)))
        case .value(let raw):
            guard let found = try read(raw) else {
                throw Failure(FieldFault(name, .invalid(must: shape.must)))
            }
            return found
        }
    }

    private func checkLength<Value>(
        _ text: String, _ name: String, _ shape: FieldType<Value>, _ place: FieldFault.Caller
    ) throws(Failure) {
        guard let longest = shape.longest, text.utf8.count > longest else { return }
        throw Failure(FieldFault(name, in: place, .tooLong(longest)))
    }

    /// Rejects unknown query parameters if the format is strict.
    mutating func checkQuery() throws(Failure) {
        guard let source, case .refused = source.style.unknownMembers, !source.request.query.isEmpty else { return }
        let known = source.known.members(in: .query).map(\.name)
        for item in try items(source).items where !known.contains(item.name) {
            throw Failure(FieldFault(item.name, in: .query, .unknown(known: known)))
        }
    }

    private mutating func items(_ source: Source) throws(Failure) -> QueryItems {
        if let query { return query }
        guard let items = QueryItems(source.request.query) else { throw Failure(.query) }
        query = items
        return items
    }

    private func checkBody(_ source: Source) throws(Failure) {
        let request = source.request
        let isNothing = request.body.isEmpty && source.style.readsNoBodyAsEmpty
        let tooLong = source.longestBody.flatMap { request.body.count > $0 ? Failure(.tooLong($0)) : nil }
        if let tooLong, source.style.looksAtLengthFirst { throw tooLong }
        guard isNothing || source.style.reads(request.headers["Content-Type"]) else { throw Failure(.mediaType) }
        if let tooLong { throw tooLong }
    }

    private mutating func scan(_ source: Source) throws(Failure) {
        try checkBody(source)
        let body = source.request.body
        if case .form = source.style.mediaTypes {
            guard let text = String(utf8: body.span), let items = QueryItems(text) else {
                throw Failure(.form)
            }
            form = items
            return
        }
        let scanned: FlatObject
        do throws(JSONError) {
            scanned = try FlatObject(scanning: body.isEmpty && source.style.readsNoBodyAsEmpty ? Self.empty : body)
        } catch {
            throw Failure(.json(error))
        }
        if case .refused = source.style.unknownMembers {
            let known = source.known.members(in: .body).map(\.name)
            for name in scanned.names where !known.contains(name) {
                throw Failure(FieldFault(name, .unknown(known: known)))
            }
        }
        object = scanned
    }

    private static let empty = Array("{}".utf8)
}

extension FieldReader {
    /// A member that tells absence, `null` and a value apart.
    package enum Clearable<Value: Sendable>: Sendable {
        /// The member is absent, so the current value stays.
        case left
        /// The member is `null`, which removes the current value.
        case cleared
        /// The member is this value, which replaces the current one.
        case given(Value)
    }
}
