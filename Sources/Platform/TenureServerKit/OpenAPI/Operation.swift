/// The OpenAPI description of an endpoint: its texts, and facts that are derived from the endpoint's declaration.
package struct Operation: Sendable {
    /// The `operationId`, which client generators use as a method name.
    let id: String
    let tag: String
    let summary: String
    private(set) var description: String
    /// The status and description of the successful response.
    private(set) var answer: (status: Int, sentence: String)
    // Closures, because only the API's description needs the schemas, and a server starts without building them.
    private var makeSchema: @Sendable () -> Schema
    private var makeRepeatedSchema: (@Sendable () -> Schema)?

    private(set) var method = ""
    private(set) var path = ""
    private(set) var scope: String?
    private(set) var credentials: [SecurityScheme] = [.operatorToken]
    private(set) var declaration = FieldDeclaration()

    /// Creates a description. The endpoint adds its path, input and credentials later.
    ///
    /// - Parameter success: The description of a successful response.
    package init(
        _ id: String, _ tag: String, _ summary: String, _ description: String = "", success: String = "Done."
    ) {
        self.id = id
        self.tag = tag
        self.summary = summary
        self.description = description
        answer = (200, success)
        makeSchema = { Schema([]) }
    }

    /// The schema of the successful response.
    var schema: Schema { makeSchema() }

    /// The schema of the response with status 200 to a repeated request; `nil` if requests have no idempotency key.
    var repeatedSchema: Schema? { makeRepeatedSchema?() }

    /// Returns a copy whose successful response has this status and document.
    ///
    /// - Parameter records: The response to a repeated request; `nil` if requests have no idempotency key.
    package func answered<Value>(
        _ status: Int, with document: Document<Value>, repeatedWith records: RepeatedRecords? = nil
    ) -> Operation {
        var operation = self
        operation.answer.status = status
        operation.makeSchema = { document.schema }
        if let records { operation.makeRepeatedSchema = { records.schema } }
        return operation
    }

    /// Combines the parameters, descriptions and responses of two operations with the same path and method.
    func joined(with other: Operation) -> Operation {
        var operation = self
        operation.description = [description, other.description].filter { !$0.isEmpty }.joined(separator: " ")
        operation.makeSchema = { [makeSchema] in makeSchema().or(other.makeSchema()) }
        operation.declaration = declaration.joined(with: other.declaration)
        return operation
    }

    /// Returns a copy with the endpoint's path, input and credentials.
    func at(
        _ method: String, _ path: String, _ members: [FieldDeclaration.Member], _ declaration: FieldDeclaration,
        scope: String?, credentials: [SecurityScheme]
    ) -> Operation {
        var operation = self
        operation.method = method
        operation.path = path
        operation.scope = scope
        operation.credentials = credentials
        operation.declaration = declaration
        operation.declaration.members = members + declaration.members
        return operation
    }
}

/// A kind of bearer token in the `Authorization` header, for OpenAPI.
package struct SecurityScheme: Sendable, Hashable {
    /// The scheme's name in the OpenAPI document.
    let name: String
    /// The token's name for people, such as `an operator's token`.
    let phrase: String
    /// The description, which tells how to get a token.
    let sentence: String

    package init(_ name: String, _ phrase: String, _ sentence: String) {
        self.name = name
        self.phrase = phrase
        self.sentence = sentence
    }

    /// A token for the operator API.
    package static let operatorToken = SecurityScheme(
        "token", "an operator's token", "A token from `tenure token create`.")
}
