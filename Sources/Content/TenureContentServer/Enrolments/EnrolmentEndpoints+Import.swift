import TenureCommandLine
import TenureCore
import TenureFormats
import TenureServerKit

extension EnrolmentEndpoints {
    /// Enrols up to 1,000 holders; each row has a result of its own.
    var importEnrolments: Endpoint {
        let fields = Fields(longestBody: 1 << 20) { fields in try fields.required("rows", .enrolmentRows) }
        let document = Document<[EnrolmentImport.Outcome]>(
            nil,
            [
                .init(
                    "rows",
                    .list(
                        of: .object(
                            [
                                ("row", .integer()),
                                ("outcome", .choice(["added", "changed", "unchanged", "invalid"])),
                                ("enrolment", .text()), ("code", .text()), ("detail", .text()),
                            ], required: ["row", "outcome"])), "One result per row, in order; `row` counts from 0."
                ) { outcomes, object in
                    object.array("rows") { list in
                        for (row, outcome) in outcomes.enumerated() {
                            list.object { member in
                                member.member("row", row)
                                member.member("outcome", outcome.outcomeName)
                                if let enrolment = outcome.enrolment {
                                    member.member("enrolment", enrolment.description)
                                }
                                if case .invalid(let code, let detail) = outcome {
                                    member.member("code", code)
                                    member.member("detail", detail)
                                }
                            }
                        }
                    }
                }
            ])
        return Endpoint(
            "POST", ContentContext.base + "/enrolments/import", format: .contents, catalog: .cached,
            authentication: context.with("content:write"),
            reads: fields,
            answers: document,
            operation: Operation(
                "importEnrolments", "enrolments", "Enrol many holders",
                "Each row needs a `reference`; repeating it changes nothing. Invalid rows are reported; all others "
                    + "are imported."
            )
        ) { [self] call in
            try await context.checkOffer(of: call.caller.tenant)
            return .done(
                try await context.importEnrolments(
                    call.input, of: call.caller.tenant, by: call.caller.actor))
        }
    }
}

extension FieldType where Value == [EnrolmentImport.Row] {
    fileprivate static var enrolmentRows: FieldType {
        .objects("a list of 1 to 1000 objects", of: row, count: 1...1000, sample: []) { objects in
            objects.map { EnrolmentImport.Row($0) }
        }
    }

    /// A schema that accepts anything; an invalid row gets its own error in the response.
    private static var row: Schema {
        Schema([]).described(
            "An object with `holder`, `reference`, `course` or `content`, and optionally "
                + EnrolmentField.all.map { "`\($0.member.name)`" }.andList + ".")
    }
}

extension EnrolmentImport.Row {
    fileprivate init(_ object: FlatObject?) {
        guard let object else {
            self = .unread(code: "field_invalid", detail: "A row must be an object.")
            return
        }
        var wrong: String?
        func text(_ name: String) -> String? {
            switch object.string(name) {
            case .value(let text): return text
            case .wrongType: wrong = name
            case .absent, .null: break
            }
            return nil
        }
        func time(_ name: String) -> Timestamp? {
            switch object.integer(name) {
            case .value(let seconds) where (0...253_402_300_799).contains(seconds): return Timestamp(seconds: seconds)
            case .value, .wrongType: wrong = name
            case .absent, .null: break
            }
            return nil
        }
        self.init(ImportedCells(text: text, start: time, end: time))
        if let wrong { self = .unread(code: "field_invalid", detail: "\(wrong) has an invalid value.") }
    }
}
