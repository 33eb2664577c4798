import TenureCore
import TenureFormats
import TenureHTTP

/// Finds and converts the members of one request for ``FieldReader``.
///
/// The body and the query are decoded when the first member in them is read. The type isn't copyable, because copying
/// the request for each member would cost more than reading the member.
struct RequestMembers: ~Copyable {
    /// The result of a search for a member.
    enum Found<Value> {
        case absent, null
        case value(Value)
    }

    let request: Request
    private let path: PathParameters
    private let format: ResponseFormat
    private let longestBody: Int?
    private let declaration: FieldDeclaration
    private var object: FlatObject?
    private var form: QueryItems?
    private var query: QueryItems?

    init(
        request: Request, path: PathParameters, format: ResponseFormat, longestBody: Int?, declaration: FieldDeclaration
    ) {
        self.request = request
        self.path = path
        self.format = format
        self.longestBody = longestBody
        self.declaration = declaration
    }

    /// Finds and converts a member. Throws ``Failure`` if the member has the wrong type or an invalid value.
    mutating func find<Value>(
        _ name: String, _ fieldType: FieldType<Value>, _ location: FieldFault.Location
    ) throws(Failure) -> Found<Value> {
        switch location {
        case .body:
            if object == nil, form == nil { try scan() }
            if let object { return try find(name, fieldType, in: object) }
            return try read(form?[name].flatMap { $0.isEmpty ? nil : $0 }, name, fieldType, location)
        case .query:
            return try read(try items()[name], name, fieldType, location)
        case .path:
            return try read(path[name], name, fieldType, location)
        case .header:
            let values = request.headers.values(name)
            guard values.count < 2 else {
                throw Failure(FieldFault(name, in: location, .other("must be sent once, not \(values.count) times")))
            }
            return try read(values.first, name, fieldType, location)
        }
    }

    private func read<Value>(
        _ text: String?, _ name: String, _ fieldType: FieldType<Value>, _ location: FieldFault.Location
    ) throws(Failure) -> Found<Value> {
        guard let text else { return .absent }
        try checkLength(text, name, fieldType, location)
        guard let value = fieldType.value(ofText: text) else {
            throw Failure(FieldFault(name, in: location, .invalid(must: fieldType.must)))
        }
        return .value(value)
    }

    private func find<Value>(
        _ name: String, _ fieldType: FieldType<Value>, in object: FlatObject
    ) throws(Failure) -> Found<Value> {
        switch fieldType.kind {
        case .text(let read):
            // This case doesn't use the generic function, because most members are texts and generic code is slow.
            switch object.string(name) {
            case .absent: return .absent
            case .null: return .null
            case .wrongType: throw Failure(FieldFault(name, .invalid(must: fieldType.mustInKind)))
            case .value(let text):
                if text.isEmpty, !fieldType.takesEmpty, format.readsEmptyAsAbsent { return .absent }
                try checkLength(text, name, fieldType, .body)
                guard let value = read(text) else { throw Failure(FieldFault(name, .invalid(must: fieldType.must))) }
                return .value(value)
            }
        case .integer(let read):
            return try value(object.wholeNumber(name), name, fieldType) { read($0).map { .value($0) } }
        case .boolean(let read):
            return try value(object.boolean(name), name, fieldType) { read($0).map { .value($0) } }
        case .objects(let read):
            return try value(object.elements(name), name, fieldType) { (inner: [FlatObject?]) throws(Failure) in
                do throws(FieldType<Value>.Fault) {
                    return .value(try read(inner))
                } catch {
                    throw Failure(FieldFault(name + error.pointer, .other(error.words)))
                }
            }
        case .texts(let read):
            return try value(object.strings(name), name, fieldType) { (inner: [String]) throws(Failure) in
                do throws(FieldType<Value>.Fault) {
                    return .value(try read(inner))
                } catch {
                    throw Failure(FieldFault(name + error.pointer, .other(error.words)))
                }
            }
        case .object(let read):
            return try value(object.object(name), name, fieldType) { (inner: FlatObject) throws(Failure) in
                do throws(FieldType<Value>.Fault) {
                    return .value(try read(inner))
                } catch {
                    throw Failure(FieldFault(name + error.pointer, .other(error.words)))
                }
            }
        }
    }

    private func value<Raw, Value>(
        _ member: FlatObject.Member<Raw>, _ name: String, _ fieldType: FieldType<Value>,
        _ read: (Raw) throws(Failure) -> Found<Value>?
    ) throws(Failure) -> Found<Value> {
        switch member {
        case .absent: return .absent
        case .null: return .null
        case .wrongType: throw Failure(FieldFault(name, .invalid(must: fieldType.mustInKind)))
        case .value(let raw):
            guard let found = try read(raw) else {
                throw Failure(FieldFault(name, .invalid(must: fieldType.must)))
            }
            return found
        }
    }

    private func checkLength<Value>(
        _ text: String, _ name: String, _ fieldType: FieldType<Value>, _ location: FieldFault.Location
    ) throws(Failure) {
        guard let longest = fieldType.longest, text.utf8.count > longest else { return }
        throw Failure(FieldFault(name, in: location, .tooLong(longest)))
    }

    /// Rejects unknown query parameters if the format is strict.
    mutating func checkQuery() throws(Failure) {
        guard case .refused = format.unknownMembers, !request.query.isEmpty else { return }
        let names = self.declaration.members(in: .query).map(\.name)
        for item in try items().items where !names.contains(item.name) {
            throw Failure(FieldFault(item.name, in: .query, .unknown(known: names)))
        }
    }

    private mutating func items() throws(Failure) -> QueryItems {
        if let query { return query }
        let items = try Self.items(of: request.query, in: .query, else: .query)
        query = items
        return items
    }

    /// Parses a query or a form. A repeated name is reported as an error of that member.
    private static func items(
        of text: String, in location: FieldFault.Location, else malformed: InvalidField
    ) throws(Failure) -> QueryItems {
        do throws(QueryItems.Fault) {
            return try QueryItems(parsing: text)
        } catch {
            switch error {
            case .malformed: throw Failure(malformed)
            case .repeated(let name): throw Failure(FieldFault(name, in: location, .repeated))
            }
        }
    }

    /// Rejects a body that is too long, or that has a media type that the format doesn't read.
    func checkBody() throws(Failure) {
        let isNothing = request.body.isEmpty && format.readsNoBodyAsEmpty
        let tooLong = longestBody.flatMap { request.body.count > $0 ? Failure(.tooLong($0)) : nil }
        if let tooLong, format.looksAtLengthFirst { throw tooLong }
        guard isNothing || format.reads(request.headers["Content-Type"]) else { throw Failure(.mediaType) }
        if let tooLong { throw tooLong }
    }

    /// Decodes the body. Rejects unknown members if the format does.
    mutating func scan() throws(Failure) {
        try checkBody()
        let body = request.body
        if case .form = format.mediaTypes {
            guard let text = String(utf8: body.span) else { throw Failure(.form) }
            form = try Self.items(of: text, in: .body, else: .form)
            return
        }
        let scanned: FlatObject
        do throws(JSONError) {
            scanned = try FlatObject(scanning: body.isEmpty && format.readsNoBodyAsEmpty ? Self.empty : body)
        } catch {
            throw Failure(.json(error))
        }
        if case .refused = format.unknownMembers {
            let names = self.declaration.members(in: .body).map(\.name)
            for name in scanned.names where !names.contains(name) {
                throw Failure(FieldFault(name, .unknown(known: names)))
            }
        }
        object = scanned
    }

    private static let empty = Array("{}".utf8)
}
