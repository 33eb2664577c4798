import TenureHTTP

/// What an endpoint reads of a request: members declared once, each with name, shape and sentence.
///
/// The closure is the declaration. Run on a request it gives a value, or the one thing that is wrong; run on nothing
/// it says which members there are, so that the schema can never tell another story than the reader.
///
/// ```swift
/// let order = Fields { fields in
///     Order(
///         product: try fields.required("product", .slug(), "The product."),
///         count: try fields.optional("count", .integer(1...1000), "How many.") ?? 1)
/// }
/// ```
package struct Fields<Input: Sendable>: Sendable {
    /// Reads the members, in the order in which they are to be looked at.
    package typealias Read = @Sendable (inout FieldReader) throws -> Input

    /// What is read, in the order declared.
    package let declaration: FieldDeclaration

    let read: Read
    private let longestBody: Int?

    /// Declares members.
    /// - Parameter longestBody: Bytes in the longest body; nil for what the style says.
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

    /// Reads a request. Throws ``Failure``.
    func callAsFunction(_ request: Request, _ path: PathParameters, as style: Style) throws -> Input {
        var reader = FieldReader(
            request: request, path: path, style: style, longestBody: longestBody ?? style.longestBody,
            known: declaration)
        try reader.checkQuery()
        return try read(&reader)
    }
}

extension Fields where Input: Sendable {
    /// Reads a long request apart from the thread that took it in, where other requests wait. Throws ``Failure``.
    func apart(_ request: Request, _ path: PathParameters, as style: Style) async throws -> Input {
        // A child task begins on another thread, whatever thread this one runs on.
        async let input = self(request, path, as: style)
        return try await input
    }
}

extension Fields where Input == Void {
    /// Reads nothing, and does not look at a body.
    package static var none: Fields { Fields { _ in } }
}

extension Fields where Input == [UInt8] {
    /// Reads the body as it is, for a signature over its bytes.
    package static func raw(longestBody: Int) -> Fields {
        Fields(longestBody: longestBody) { fields in try fields.bytes() }
    }
}

/// Which members an endpoint reads.
package struct FieldDeclaration: Sendable {
    /// How a body is read.
    package enum Body: Sendable {
        case none, members, raw
    }

    /// One member.
    package struct Member: Sendable {
        /// Its name.
        package let name: String
        /// Where it stands.
        package let place: FieldFault.Place
        /// Whether it must be there.
        package let isRequired: Bool
        /// What it must be, its sentence included.
        package let schema: Schema
    }

    /// The members, in the order declared.
    package internal(set) var members: [Member] = []
    /// How the body is read.
    package internal(set) var body = Body.none
    /// What holds between the members of the body, in words of JSON schema.
    package internal(set) var rules: [JSONTree.Member] = []
    /// Whether members of the body that nobody asks for are refused.
    var isClosed = true

    /// Whether a request without a body is refused.
    var needsBody: Bool { members(in: .body).contains(where: \.isRequired) || rules.contains { $0.name == "oneOf" } }

    /// The members of both declarations. What one of the two alone reads, or only one requires, is optional.
    func joined(with other: FieldDeclaration) -> FieldDeclaration {
        func find(_ member: Member, in members: [Member]) -> Member? {
            members.first { $0.name == member.name && $0.place == member.place }
        }
        var joined = self
        joined.members = members.map { member in
            let twin = find(member, in: other.members)
            return Member(
                name: member.name, place: member.place, isRequired: member.isRequired && twin?.isRequired ?? false,
                schema: twin.map { member.schema.or($0.schema) } ?? member.schema)
        }
        joined.members += other.members.filter { find($0, in: members) == nil }.map {
            Member(name: $0.name, place: $0.place, isRequired: false, schema: $0.schema)
        }
        return joined
    }

    /// The members of one place.
    package func members(in place: FieldFault.Place) -> [Member] { members.filter { $0.place == place } }
}
