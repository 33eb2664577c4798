import TenureCore
import TenureFormats
import TenureHTTP

/// Finds and converts the members of one request for ``FieldReader``.
///
/// The body and the query are decoded when the first of their members is read. It can't be copied, because a copy of the
/// request for each member would cost more than reading it.
struct RequestMembers: ~Copyable {
    /// The result of looking for a member.
    enum Found<Value> {
        case absent, null
        case value(Value)
    }

    let request: Request
    private let path: PathParameters
    private let style: ResponseFormat
    private let longestBody: Int?
    private let known: FieldDeclaration
    private var object: FlatObject?
    private var form: QueryItems?
    private var query: QueryItems?

    init(request: Request, path: PathParameters, style: ResponseFormat, longestBody: Int?, known: FieldDeclaration) {
        self.request = request
        self.path = path
        self.style = style
        self.longestBody = longestBody
        self.known = known
    }

    /// Finds and converts a member; throws ``Failure`` if it has the wrong type or an invalid value.
    mutating func find<Value>(
        _ name: String, _ shape: FieldType<Value>, _ place: FieldFault.Caller
    ) throws(Failure) -> Found<Value> {
        switch place {
        case .body:
            if object == nil, form == nil { try scan() }
            if let object { return try find(name, shape, in: object) }
            return try read(form?[name].flatMap { $0.isEmpty ? nil : $0 }, name, shape, place)
        case .query:
            return try read(try items()[name], name, shape, place)
        case .path:
            return try read(path[name], name, shape, place)
        case .header:
            let values = request.headers.values(name)
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
        _ name: String, _ shape: FieldType<Value>, in object: FlatObject
    ) throws(Failure) -> Found<Value> {
        switch shape.kind {
        case .text(let read):
            // Written out, because most members are texts and generic code is slow.
            switch object.string(name) {
            case .absent: return .absent
            case .null: return .null
            case .wrongType: throw Failure(FieldFault(name, .invalid(must: shape.mustInKind)))
            case .value(let text):
                if text.isEmpty, !shape.takesEmpty, style.readsEmptyAsAbsent { return .absent }
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
        guard case .refused = style.unknownMembers, !request.query.isEmpty else { return }
        let known = self.known.members(in: .query).map(\.name)
        for item in try items().items where !known.contains(item.name) {
            throw Failure(FieldFault(item.name, in: .query, .unknown(known: known)))
        }
    }

    private mutating func items() throws(Failure) -> QueryItems {
        if let query { return query }
        let items = try Self.items(of: request.query, in: .query, else: .query)
        query = items
        return items
    }

    /// Parses a query or a form; a repeated name is a fault of that member.
    private static func items(
        of text: String, in place: FieldFault.Caller, else malformed: InvalidField
    ) throws(Failure) -> QueryItems {
        do throws(QueryItems.Fault) {
            return try QueryItems(parsing: text)
        } catch {
            switch error {
            case .malformed: throw Failure(malformed)
            case .repeated(let name): throw Failure(FieldFault(name, in: place, .repeated))
            }
        }
    }

    /// Rejects a body that is too long, or of a media type that the format doesn't read.
    func checkBody() throws(Failure) {
        let isNothing = request.body.isEmpty && style.readsNoBodyAsEmpty
        let tooLong = longestBody.flatMap { request.body.count > $0 ? Failure(.tooLong($0)) : nil }
        if let tooLong, style.looksAtLengthFirst { throw tooLong }
        guard isNothing || style.reads(request.headers["Content-Type"]) else { throw Failure(.mediaType) }
        if let tooLong { throw tooLong }
    }

    /// Decodes the body; rejects unknown members if the format does.
    mutating func scan() throws(Failure) {
        try checkBody()
        let body = request.body
        if case .form = style.mediaTypes {
            guard let text = String(utf8: body.span) else { throw Failure(.form) }
            form = try Self.items(of: text, in: .body, else: .form)
            return
        }
        let scanned: FlatObject
        do throws(JSONError) {
            scanned = try FlatObject(scanning: body.isEmpty && style.readsNoBodyAsEmpty ? Self.empty : body)
        } catch {
            throw Failure(.json(error))
        }
        if case .refused = style.unknownMembers {
            let known = self.known.members(in: .body).map(\.name)
            for name in scanned.names where !known.contains(name) {
                throw Failure(FieldFault(name, .unknown(known: known)))
            }
        }
        object = scanned
    }

    private static let empty = Array("{}".utf8)
}
