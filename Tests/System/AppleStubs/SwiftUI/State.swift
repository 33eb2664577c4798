// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

@_exported public import Combine

@propertyWrapper public struct State<Value> {
    public init(wrappedValue value: Value) {}
    public init(initialValue value: Value) {}
    public var wrappedValue: Value {
        get { neverRun() }
        nonmutating set {}
    }
    public var projectedValue: Binding<Value> { neverRun() }
}

@propertyWrapper public struct Binding<Value> {
    public init(
        get: @escaping @isolated(any) @Sendable () -> Value, set: @escaping @isolated(any) @Sendable (Value) -> Void
    ) {}
    public var wrappedValue: Value {
        get { neverRun() }
        nonmutating set {}
    }
    public var projectedValue: Binding<Value> { self }
}

@MainActor @preconcurrency @propertyWrapper public struct ObservedObject<ObjectType: ObservableObject> {
    public init(wrappedValue: ObjectType) {}
    public var wrappedValue: ObjectType {
        get { neverRun() }
        set {}
    }
}

@MainActor @preconcurrency @propertyWrapper public struct StateObject<ObjectType: ObservableObject> {
    public init(wrappedValue thunk: @autoclosure @escaping () -> ObjectType) {}
    public var wrappedValue: ObjectType { neverRun() }
}

@propertyWrapper public struct Environment<Value> {
    public init(_ keyPath: KeyPath<EnvironmentValues, Value>) {}
    public var wrappedValue: Value { neverRun() }
}

public struct EnvironmentValues {
    public var scenePhase: ScenePhase { neverRun() }
}

public enum ScenePhase: Comparable, Sendable {
    case background, inactive, active
}
