// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public import Foundation

// There is no bridging here, so these are Swift types. A cast that Apple's compiler rejects may compile.

public typealias CFTypeRef = AnyObject
public typealias CFString = String
public typealias CFData = Data
public typealias CFDictionary = Any
public typealias CFArray = Any
public typealias CFBoolean = Bool
public typealias CFMutableDictionary = Any
public final class CFAllocator {}
public final class CFError {}

public nonisolated(unsafe) let kCFAllocatorDefault: CFAllocator! = nil
public let kCFBooleanTrue: CFBoolean! = true
public let kCFBooleanFalse: CFBoolean! = false
