/// What tools are told of an endpoint, beyond what its own declaration says.
package struct Operation: Sendable {
    /// What programs that are made from the description call it.
    let id: String
    /// The group it stands in.
    let tag: String
    /// What it does, in a few words.
    let summary: String
    /// What people should know of it.
    private(set) var description: String
    /// The yes: its status, a sentence, and what it holds.
    var answer: (status: Int, sentence: String, schema: Schema)

    private(set) var method = ""
    private(set) var path = ""
    private(set) var scope: String?
    private(set) var credentials: [Credential] = [.operatorToken]
    private(set) var declaration = FieldDeclaration()

    /// Describes an operation.
    /// - Parameter yes: What the yes means.
    package init(
        _ id: String, _ tag: String, _ summary: String, _ description: String = "", yes: String = "Done."
    ) {
        self.id = id
        self.tag = tag
        self.summary = summary
        self.description = description
        answer = (200, yes, Schema([]))
    }

    /// The same, answered with a document.
    package func answered<Value>(_ status: Int, with document: Document<Value>) -> Operation {
        var operation = self
        operation.answer = (status, answer.sentence, document.schema)
        return operation
    }

    /// This operation and another one at the same place, as one: parameters, texts and answers of both.
    func joined(with other: Operation) -> Operation {
        var operation = self
        operation.description = [description, other.description].filter { !$0.isEmpty }.joined(separator: " ")
        operation.answer.schema = answer.schema.or(other.answer.schema)
        operation.declaration = declaration.joined(with: other.declaration)
        return operation
    }

    /// The same, at its place.
    func at(
        _ method: String, _ path: String, _ members: [FieldDeclaration.Member], _ declaration: FieldDeclaration,
        scope: String?, credentials: [Credential]
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

/// What a request may carry in its `Authorization` header, as tools are told of it.
package struct Credential: Sendable, Hashable {
    /// Its name among the security schemes.
    let name: String
    /// What people call it, within a sentence.
    let phrase: String
    /// Where it comes from.
    let sentence: String

    /// Names a bearer token.
    package init(_ name: String, _ phrase: String, _ sentence: String) {
        self.name = name
        self.phrase = phrase
        self.sentence = sentence
    }

    /// An operator's token.
    package static let operatorToken = Credential(
        "token", "an operator's token", "A token from `tenure token create`.")
}
