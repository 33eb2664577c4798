/// What tools are told of an endpoint, beyond what its own declaration says.
package struct Operation: Sendable {
    /// What programs that are made from the description call it.
    let id: String
    /// The group it stands in.
    let tag: String
    /// What it does, in a few words.
    let summary: String
    /// What people should know of it.
    let description: String
    /// The yes: its status, a sentence, and what it holds.
    var answer: (status: Int, sentence: String, schema: Schema)

    private(set) var method = ""
    private(set) var path = ""
    private(set) var scope: String?
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
    func answered<Value>(_ status: Int, with document: Document<Value>) -> Operation {
        var operation = self
        operation.answer = (status, answer.sentence, document.schema)
        return operation
    }

    /// The same, at its place.
    func at(
        _ method: String, _ path: String, _ members: [FieldDeclaration.Member], _ declaration: FieldDeclaration,
        scope: String?
    ) -> Operation {
        var operation = self
        operation.method = method
        operation.path = path
        operation.scope = scope
        operation.declaration = declaration
        operation.declaration.members = members + declaration.members
        return operation
    }
}
