import TenureCommandLine
import Testing

/// Tests the sources of an option's value: the command line, the environment, the context and the default.
@Suite struct EnvironmentTests {
    private static let data = Argument.option("data", "DIR", "A folder.", as: .text, default: "here")
    private static let store: Argument<String?> = .optional("store", "STORE", "A store.", as: .text)
    private static let count: Argument<Int?> = .optional("count", "N", "How many.", as: .int(in: 1...9))
    private static let context: Argument<String?> = .optional("context", "NAME", "A context.", as: .text)

    private func read(
        _ words: [String], environment: [String: String] = [:], context: [String: String] = [:], hasContext: Bool = true
    ) throws -> (data: String, store: String?, count: Int?, source: String?) {
        let variables = ["data": "T_DATA", "store": "T_STORE", "count": "T_COUNT", "context": "T_CONTEXT"]
        let surroundings = Environment(
            environment: environment, variables: variables, together: ["data", "store"]
        ) { name throws(UsageError) in
            if name == "none" { throw UsageError("there is no context none") }
            return context
        }
        let arguments: [any DeclaredArgument] =
            [Self.data, Self.store, Self.count] + (hasContext ? [Self.context] : [])
        let parsed = try Parsed(words[...], for: arguments, in: surroundings)
        return (
            parsed[Self.data], parsed[Self.store], parsed[Self.count],
            parsed.source(of: Self.data) ?? parsed.source(of: Self.store)
        )
    }

    @Test func `an option's value comes from the command line, else the environment, the context or the default`()
        throws
    {
        let (environment, context) = (["T_COUNT": "2"], ["count": "3"])
        #expect(try read(["--count", "1"], environment: environment, context: context).count == 1)
        #expect(try read([], environment: environment, context: context).count == 2)
        #expect(try read([], context: context).count == 3)
        #expect(try read([], environment: ["T_COUNT": ""], context: context).count == 3)
        #expect(try read([]).count == nil)
        #expect(try read([]).data == "here")
    }

    @Test func `an option overrides conflicting options from sources of lower precedence`() throws {
        let typed = try read(["--data", "mine"], environment: ["T_STORE": "theirs"], context: ["store": "another"])
        #expect(typed.data == "mine" && typed.store == nil && typed.source == nil)
        let inherited = try read([], environment: ["T_DATA": "mine"], context: ["store": "another", "count": "3"])
        #expect(inherited.data == "mine" && inherited.store == nil && inherited.count == 3)
        #expect(inherited.source == "T_DATA")
        let both = try read([], environment: ["T_DATA": "mine", "T_STORE": "theirs"])
        #expect(both.data == "mine" && both.store == "theirs")
        #expect(try read([], context: ["store": "another"]).source == "the current context")
        #expect(try read(["--context", "shop"], context: ["store": "another"]).source == "context shop")
    }

    @Test func `an invalid environment variable is reported by its name unless an option overrides it`() throws {
        let error = #expect(throws: UsageError.self) { try read([], environment: ["T_COUNT": "ten"]) }
        #expect(error?.message.hasSuffix("(from T_COUNT)") == true)
        #expect(try read(["--count", "1"], environment: ["T_COUNT": "ten"]).count == 1)
        #expect(throws: UsageError.self) { try read(["--context", "none"]) }
        #expect(throws: UsageError.self) { try read([], environment: ["T_CONTEXT": "none"]) }
    }

    @Test func `an environment variable separates the values of a repeatable option by spaces`() throws {
        let hosts: Argument<[String]> = .repeated("host", "HOST", "A host.", as: .text)
        let environment = Environment(environment: ["T_HOST": "a:1  b:2"], variables: ["host": "T_HOST"])
        #expect(try Parsed([], for: [hosts], in: environment)[hosts] == ["a:1", "b:2"])
        #expect(try Parsed(["--host", "c:3"], for: [hosts], in: environment)[hosts] == ["c:3"])
    }

    @Test func `a command without the option --context ignores the context's values`() throws {
        #expect(try read([], context: ["count": "3"], hasContext: false).count == nil)
    }
}
