import TenureHTTP

/// The input that an endpoint reads from a request: members with names, types and descriptions.
///
/// One closure both declares and reads the members. With a request, the closure returns a value or throws the first
/// error. Without a request, its reads are recorded as declarations. So the schema always matches the members that the
/// endpoint reads.
///
/// ```swift
/// let order = Fields { fields in
///     Order(
///         product: try fields.required("product", .slug(), "The product."),
///         count: try fields.optional("count", .integer(1...1000), "How many.") ?? 1)
/// }
/// ```
package struct Fields<Input: Sendable>: Sendable {
    /// Reads the members. They're validated in the order in which the closure reads them.
    package typealias Read = @Sendable (inout FieldReader) throws -> Input

    /// The members in the order of their declaration.
    package let declaration: FieldDeclaration

    let read: Read
    private let longestBody: Int?

    /// Declares members.
    ///
    /// Runs the closure once without a request. Traps if the closure throws then.
    ///
    /// - Parameter longestBody: The maximum body size in bytes; `nil` for the format's default.
    package init(longestBody: Int? = nil, _ read: @escaping Read) {
        self.read = read
        self.longestBody = longestBody
        var reader = FieldReader()
        do {
            _ = try read(&reader)
        } catch {
            preconditionFailure("a declaration of members fails without a request: \(error)")
        }
        declaration = reader.declaration
    }

    /// The maximum body size in bytes in this format; `nil` for the HTTP server's limit.
    func limit(as format: ResponseFormat) -> Int? { longestBody ?? format.longestBody }

    /// Reads a request. Throws ``Failure`` for the first error.
    func input(of request: Request, _ path: PathParameters, as format: ResponseFormat) throws -> Input {
        var reader = FieldReader(
            request: request, path: path, format: format, longestBody: limit(as: format), declaration: declaration)
        try reader.checkQuery()
        return try read(&reader)
    }
}

extension Fields where Input: Sendable {
    /// Reads a long request on another thread, so that the thread that received it can serve other requests meanwhile.
    ///
    /// Throws ``Failure`` for the first error.
    func apart(_ request: Request, _ path: PathParameters, as format: ResponseFormat) async throws -> Input {
        // A child task runs in Swift's thread pool, never on the event thread that received the request.
        async let members = input(of: request, path, as: format)
        return try await members
    }
}

extension Fields where Input == Void {
    /// Reads nothing and ignores any body.
    package static var none: Fields { Fields { _ in } }
}

extension Fields where Input == [UInt8] {
    /// Reads the body's bytes without decoding them, for example to verify a signature over them.
    package static func raw(longestBody: Int) -> Fields {
        Fields(longestBody: longestBody) { fields in try fields.bytes() }
    }
}

/// The members that an endpoint reads.
package struct FieldDeclaration: Sendable {
    /// How the body is read: not at all, as members, or as bytes.
    package enum Body: Sendable {
        case none, members, raw
    }

    package struct Member: Sendable {
        package let name: String
        /// The part of the request that contains the member.
        package let location: FieldFault.Location
        package let isRequired: Bool
        // A closure, because a server creates schemas only if a client requests its OpenAPI description.
        private let makeSchema: @Sendable () -> Schema

        package init(
            name: String, location: FieldFault.Location, isRequired: Bool,
            schema: @escaping @autoclosure @Sendable () -> Schema
        ) {
            self.name = name
            self.location = location
            self.isRequired = isRequired
            makeSchema = schema
        }

        /// The member's schema, including the description.
        package var schema: Schema { makeSchema() }
    }

    /// The members in the order of their declaration.
    package internal(set) var members: [Member] = []
    /// How the body is read: not at all, as members, or as bytes.
    package internal(set) var body = Body.none
    /// Sentences about rules that several members of the body must meet together.
    ///
    /// They aren't schema keywords such as `oneOf`, because client generators drop members if such a keyword stands
    /// next to `properties`.
    package internal(set) var rules: [String] = []
    /// Whether exactly one of two body members must be given.
    var needsOneOfTwo = false
    /// Whether unknown body members are rejected.
    var isClosed = true

    /// Whether a request without a body is rejected.
    var needsBody: Bool { members(in: .body).contains(where: \.isRequired) || needsOneOfTwo }

    /// Combines the declarations of two endpoints with the same path and method.
    ///
    /// A member is required only if both endpoints require it.
    func joined(with other: FieldDeclaration) -> FieldDeclaration {
        func find(_ member: Member, in members: [Member]) -> Member? {
            members.first { $0.name == member.name && $0.location == member.location }
        }
        var joined = self
        joined.members = members.map { member in
            let twin = find(member, in: other.members)
            return Member(
                name: member.name, location: member.location,
                isRequired: member.isRequired && twin?.isRequired ?? false,
                schema: twin.map { member.schema.or($0.schema) } ?? member.schema)
        }
        joined.members += other.members.filter { find($0, in: members) == nil }.map {
            Member(name: $0.name, location: $0.location, isRequired: false, schema: $0.schema)
        }
        return joined
    }

    /// The members in one part of the request.
    package func members(in location: FieldFault.Location) -> [Member] { members.filter { $0.location == location } }
}
